"""`dragoman campaign simulate`: invented judges fill a plan in a folder, or a campaign at a running server."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from dragoman.cli.database import db_option, open_store
from dragoman.cli.output import emit, form_options, seed_option

if TYPE_CHECKING:
    from dragoman.human.direct_assessment.machine_judge import MachineJudgements
    from dragoman.report.result import Result

__all__ = ["named_numbers", "shares_of", "simulate"]


def named_numbers(words: Iterable[str], option: str) -> dict[str, float]:
    """The words NAME=NUMBER of an option."""
    numbers = {}
    for word in words:
        name, equals, number = word.partition("=")
        try:
            numbers[name] = float(number)
        except ValueError:
            equals = ""
        if not equals:
            raise click.BadParameter(f"{word!r} is not NAME=NUMBER.", param_hint=option)
    return numbers


def shares_of(words: Iterable[str]) -> dict[str, float]:
    """The words NAME=SHARE of --care."""
    care = named_numbers(words, "--care")
    for name, share in care.items():
        if not 0 <= share <= 1:
            raise click.BadParameter(f"'{name}={share:g}': the share is from 0 to 1.", param_hint="--care")
    return care


@click.command()
@click.argument("plan_or_campaign", metavar="PLAN|NAME", type=click.Path())
@click.option(
    "--care",
    "cares",
    metavar="NAME=SHARE",
    multiple=True,
    help="A judge and the share of answers given with care, 0 to 1; once for each.",
)
@click.option(
    "--quality",
    "qualities",
    metavar="SYSTEM=MEAN",
    multiple=True,
    help="Direct assessment: true mean score of a system, 0–100; once for each.",
)
@click.option(
    "--population",
    metavar="HABIT=SHARE,…",
    default="honest=0.6,noisy=0.2,random=0.2",
    show_default=True,
    help="Beside --quality, who answers: honest, lenient, harsh, noisy, random, constant, copycat.",
)
@click.option(
    "--judge",
    metavar="GEMBA",
    help="Direct assessment: a chat model scores, 'gemba-da:(url=…,model=…),languages=de-en'; it is called simulated.",
)
@click.option("-o", "--output", metavar="FILE", help="Write the invented judgements of a plan there (CSV, TSV …).")
@click.option("--url", metavar="ADDRESS", help="The running server at which the judges of a campaign sign in.")
@db_option
@seed_option
@form_options
def simulate(
    plan_or_campaign: str,
    cares: tuple[str, ...],
    qualities: tuple[str, ...],
    population: str,
    judge: str | None,
    output: str | None,
    url: str | None,
    db: str,
    seed: int,
    form: str,
) -> None:
    """Let invented annotators fill a plan or a campaign: to try everything before people are asked.

    \b
      dragoman campaign simulate plan --care ada=1 --care eve=0 -o simulated.csv
      dragoman campaign simulate plan --quality atlas=80 --quality ember=45 -o simulated.csv
      dragoman campaign simulate sample-esa --url http://127.0.0.1:8000 --care ada=1 --care eve=0

    A plan is a folder that `campaign plan -o` or `campaign new -o` made, of any protocol; whom --care does not name
    takes all care. With --quality the scores of a direct assessment come from true means and a population of habits.
    With --url the judges get accounts, marked as simulated, in the server's database (--db), sign in at the server and
    answer as browsers do. Nothing of it is a judgement of anything.
    """
    care = shares_of(cares)
    if url is not None:
        if not care:
            raise click.BadParameter("name the judges who shall come.", param_hint="--care")
        emit(_at_server(plan_or_campaign, url, db, care, seed), form, "-")
        return
    if output is None:
        raise click.BadParameter("say where the judgements of a plan shall be written.", param_hint="-o")
    from dragoman.data import FORMATS

    if judge is not None:
        machine = _judged(plan_or_campaign, judge)
        FORMATS.make("judgement-table").write(machine.judgements, output)
        emit(machine, form, "-")
        return
    if qualities:
        from dragoman.human.direct_assessment.simulation import Population, simulate_campaign
        from dragoman.human.planning import read_plan

        if care:
            raise click.BadParameter("care is part of the population; give --care or --quality.", param_hint="--care")
        quality = named_numbers(qualities, "--quality")
        shares = Population(named_numbers(population.split(","), "--population"))
        scored = simulate_campaign(read_plan(plan_or_campaign), quality, shares, seed=seed)
        FORMATS.make("judgement-table").write(scored.judgements, output)
        emit(scored, form, "-")
        return
    from dragoman.human.simulated_plan import simulate_plan

    filled = simulate_plan(plan_or_campaign, care, seed=seed)
    FORMATS.make("judgement-table").write(filled.judgements, output)
    emit(filled, form, "-")


def _judged(plan: str, judge: str) -> MachineJudgements:
    from dragoman.engines.gemba import GembaDA
    from dragoman.errors import DataError
    from dragoman.human.direct_assessment.machine_judge import judge_plan
    from dragoman.human.planning import read_plan
    from dragoman.metrics import make_metric

    metric = make_metric(judge)
    if not isinstance(metric, GembaDA):
        raise DataError(f"The metric {metric.name} does not judge as annotators do; say --judge 'gemba-da:…'.")
    return judge_plan(read_plan(plan), metric)


def _at_server(name: str, url: str, db: str, care: dict[str, float], seed: int) -> Result:
    store = open_store(db)
    from dragoman.web.rehearsal import simulate_at

    return simulate_at(store, url, name, care, seed=seed)
