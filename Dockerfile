# The server in a container: `docker build -t dragoman .`, or `docker compose up` with PostgreSQL beside it.
FROM python:3.12-slim-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends g++ \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY CMakeLists.txt LICENSE NOTICE README.md pyproject.toml ./
COPY cpp cpp
COPY src src
RUN pip wheel --no-cache-dir --wheel-dir /wheels ".[web,postgres,cat,qe]"

# No compiler from here on.
FROM python:3.12-slim-bookworm
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels "dragoman[web,postgres,cat,qe]"
RUN useradd --create-home --uid 10001 dragoman
USER dragoman
WORKDIR /home/dragoman
EXPOSE 8000
HEALTHCHECK --start-period=30s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health')"]
ENTRYPOINT ["dragoman"]
CMD ["serve", "--host", "0.0.0.0"]
