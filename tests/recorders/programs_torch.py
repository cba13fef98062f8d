"""Programs of PyTorch: see programs.py."""

PRELOAD = ["torch"]

TRAIN = """
import contextlib, sys, torch
torch.manual_seed(0)
model = {model}
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
step = contextlib.nullcontext
{api}
for i in range(3):
    with step():
        optimizer.zero_grad()
        loss = {loss}
        loss.backward()
        optimizer.step()
    print(i, loss.item())
"""
API = '''#: import record_pytorch
#: step = record_pytorch.Recorder("$OUT", model).step
'''
MODEL = "torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.Tanh())"


def program(name, model=MODEL, loss="model(torch.randn(4, 3)).square().sum()", api=False, **row):
    return dict(row, name=name, recorder="pytorch", api=api,
                source=TRAIN.format(model=model, loss=loss, api=API if api else ""))


ROWS = [
    program("plain", runs=3, holds=["0", "1.grad", "0.weight.grad"]),
    program("plain_api", api=True, runs=3, holds=["0", "1.grad", "0.weight.grad"],
            lines={"0": "loss = model"}),
    dict(name="exit_status", recorder="pytorch", status=3, nothing=True,
         source="import sys\nprint(sys.argv, __name__, __file__ != '')\nsys.exit(3)\n", args=["-x", "1"]),
]
