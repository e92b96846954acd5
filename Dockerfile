# boundcheck as a command:  docker build -t boundcheck .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/work" boundcheck verify 'squant/*'
# Records are written to .boundcheck in the folder that is mounted.
FROM python:3.13-slim

# One thread per process: parallelism is over work units, and sums do not depend on the number of cores.
ENV OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1

# The libraries come first: this layer is built again only where they change.
WORKDIR /source
COPY requirements/core.lock requirements/core.lock
RUN python -m pip install --no-deps --only-binary :all: --require-hashes -r requirements/core.lock

COPY pyproject.toml README.md LICENSE boundcheck.py ./
COPY theory theory
COPY impl impl
COPY verify verify
RUN python -m pip install --no-deps --no-build-isolation . && useradd --create-home judge

USER judge
WORKDIR /work
ENTRYPOINT ["boundcheck"]
CMD ["--help"]
