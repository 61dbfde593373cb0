"""By which names the server can be reached: links of invitations begin with them."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.errors import DataError
from dragoman.store import Store
from dragoman.web import Settings, create_app
from tests.web.client import Client
from tests.web.house import CAMPAIGN


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "[::1",
        "::1",
        "127.0.0.1@evil.example",
        "evil.example@localhost",
        "localhost/evil.example",
        "localhost:x",
    ],
)
def test_no_link_is_made_for_a_name_that_is_not_ours(light_app: FastAPI, host: str) -> None:
    """Whoever lets a name of theirs point here gets neither pages nor links that begin with it."""
    manager = Client(light_app, "the-manager")
    refused = manager.post(f"/api/v1/campaigns/{CAMPAIGN}/invites", json={}, headers={"Host": host})
    assert (refused.status_code, refused.json()["kind"]) == (421, "Misdirected")
    assert "start it with --url" in refused.json()["message"]
    assert manager.get("/campaigns", headers={"Host": host}).status_code == 421
    assert manager.get(f"/api/v1/campaigns/{CAMPAIGN}/invites").json()["rows"] == []


@pytest.mark.parametrize(
    ("host", "settings"),
    [
        ("localhost:8000", {}),
        ("LOCALHOST", {}),
        ("127.0.0.1:8000", {}),
        ("[::1]:8000", {}),
        ("192.168.1.5:8000", {}),
        ("box.lan:8000", {"host": "box.lan"}),
        ("judge.lan", {"hosts": ["Judge.lan"]}),
        ("inner:8000", {"url": "https://judge.example.org"}),
    ],
)
def test_our_own_names_are_known(light_store: Store, host: str, settings: dict[str, Any]) -> None:
    manager = Client(create_app(light_store, Settings(url="http://localhost")), "the-manager")
    manager.app = create_app(light_store, Settings(**settings))
    made = manager.post(f"/api/v1/campaigns/{CAMPAIGN}/invites", json={}, headers={"Host": host})
    begin = settings.get("url", f"http://{host}")
    assert made.json()["rows"][0]["link"].lower().startswith(f"{begin}/join/".lower())


@pytest.mark.parametrize("proxies", ["nginx", "172.16.0.1/12", "127.0.0.1, proxy.lan", "10.0.0.0/33", "127.0.0.1:80"])
def test_proxies_that_nobody_would_trust_are_refused(proxies: str) -> None:
    """The server does not look names up: their headers would count for nothing, and nobody would say so."""
    with pytest.raises(DataError, match=r"is neither an address \(127\.0\.0\.1\) nor a network"):
        Settings(proxies=proxies)
    for right in ("", "127.0.0.1", " 10.0.0.0/8 , ::1 ", "172.16.0.0/12", "*", "fd00::/8"):
        assert Settings(proxies=right).proxies == right
