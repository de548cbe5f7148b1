"""Serve the tiny model with llama.cpp's own server, until standard input ends: MODEL KEY."""

import sys

import xllamacpp

parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.api_keys = [sys.argv[2]]
parameters.port = 0
parameters.n_ctx = 16384
parameters.n_parallel = 4
parameters.cpuparams.n_threads = 1
parameters.cpuparams_batch.n_threads = 1
parameters.warmup = False
parameters.verbosity = -1
server = xllamacpp.Server(parameters)  # it serves as long as this lives
print(server.listening_address, flush=True)
sys.stdin.read()
