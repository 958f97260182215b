"""Runs a function in processes of its own, so that what ends a process, or never ends, is a result as others are."""
import multiprocessing
import warnings

import torch

CONTEXT = multiprocessing.get_context("forkserver")
# What PyTorch imports when a function is transformed first, which takes longer than a hundred programs.
CONTEXT.set_forkserver_preload(["torch", "torch._dynamo"])


def each(function, items, seconds):
    """(item, the function's result, None) for each item, or (item, None, how it ended the process) if it did, or took
    longer than `seconds`."""
    left = list(items)
    while left:
        receiver, sender = CONTEXT.Pipe(duplex=False)
        process = CONTEXT.Process(target=work, args=(sender, function, left))
        process.start()
        sender.close()
        try:
            while left and receiver.poll(seconds):
                result = receiver.recv()
                yield left.pop(0), result, None
            end = f"takes more than {seconds} seconds"
        except EOFError:
            process.join()
            code = process.exitcode
            end = f"ends the process by signal {-code}" if code < 0 else f"ends the process with status {code}"
        finally:
            process.kill()
            process.join()
        if left:
            yield left.pop(0), None, end


def work(sender, function, items):
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    for item in items:
        sender.send(function(item))
