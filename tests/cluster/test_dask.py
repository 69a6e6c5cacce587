"""Chunks on a real dask cluster on loopback: two worker processes behind a scheduler, as on many machines."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from distributed import Client, LocalCluster

from interview_book.checks.montecarlo import measure_scores
from interview_book.checks.streaming import ChunkError, run_chunks


def generator():
    return np.random.Generator(np.random.PCG64(11))


def bits(moments):
    return moments.n, *(float(getattr(moments, name)).hex() for name in ("mean", "m2", "m3", "m4"))


@pytest.fixture(scope="module")
def client():
    # No dashboard: it would take a port that others use. A process of its own for each worker.
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
        ) as one,
        Client(one) as client,
    ):
        yield client


def refusing(rng, count):
    if count == 3:
        raise ZeroDivisionError("the last one")
    return count


def test_a_cluster_gives_the_same_bits_as_this_thread(client):
    ask = {"samples": 20_011, "d_k": 7, "q": "laplace", "chunk": 997}
    alone = bits(measure_scores(generator(), **ask))
    assert len(client.scheduler_info()["workers"]) == 2
    with client.get_executor() as executor:
        assert bits(measure_scores(generator(), executor=executor, **ask)) == alone
    with ThreadPoolExecutor(2) as executor:
        assert bits(measure_scores(generator(), executor=executor, **ask)) == alone


def test_an_error_on_a_worker_says_which_chunk(client):
    says = r"chunk 2 of 3 \(3 samples\): ZeroDivisionError: the last one"
    with client.get_executor(retries=0) as executor, pytest.raises(ChunkError, match=says):
        run_chunks(refusing, generator(), 13, chunk=5, executor=executor, merge=lambda a, b: a + b)
