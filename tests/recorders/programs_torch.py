"""Programs of PyTorch: see programs.py. Most are TRAIN with another model, loss or way to run it."""

PRELOAD = ["torch", "torch._dynamo", "torch.utils.data"]

BEGIN = """
import contextlib, copy, io, os, sys
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
step = contextlib.nullcontext
"""
API = """
#: import record_pytorch
#: step = record_pytorch.Recorder("$OUT", model).step
"""
TRAIN = BEGIN + """
{before}
model = {model}
{api}
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
{setup}
for i in range(3):
    with step():
        optimizer.zero_grad()
        x = {x}
        {forward}
        loss = {loss}
        loss.backward()
        optimizer.step()
    print(i, "%.5f" % loss.item())
{end}
"""
MODEL = "nn.Sequential(nn.Linear(3, 2), nn.Tanh())"
HOLDS = ["0.weight", "0", "1", "1.grad", "0.weight.grad", "loss", "Sequential.input"]
NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(3, 4)
        self.fc2 = nn.Linear(4, 2)
    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))
"""
NET_HOLDS = ["fc1", "fc2", "fc1.weight", "fc2.weight.grad", "fc2.grad", "Net", "Net.input", "loss"]
WHOLE = ["fc1.weight", "fc2.weight.grad", "Net", "Net.grad", "Net.input", "loss"]


def net(forward, methods=""):
    """A model Net with other text in forward."""
    return NET.split("    def forward")[0] + methods + "    def forward(self, x):\n        " + \
        forward.replace("\n", "\n        ") + "\n"


def program(name, model=MODEL, loss="y.square().sum()", x="torch.randn(4, 3)", forward="y = model(x)",
            before="", setup="", end="", api=False, **row):
    row.setdefault("runs", 3)
    row.setdefault("holds", HOLDS if model == MODEL else ["loss"])
    if model == "Net()" and not before:
        before, row["holds"] = NET, row["holds"] if len(row["holds"]) > 1 else NET_HOLDS
    indent = lambda text: text.replace("\n", "\n        ")     # noqa: E731
    source = TRAIN.format(model=model, loss=loss, x=x, forward=indent(forward), before=before,
                          setup=setup, end=end, api=API if api else "")
    return dict(row, name=name, recorder="pytorch", api=api, source=source)


def source(name, text, **row):
    """A program that is no TRAIN."""
    return dict(row, name=name, recorder="pytorch", source=BEGIN + text)


# ---- Programs that train as everybody does, as a wrapper and through the API.

LAYERS = [
    ("conv", "nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.Flatten())",
     "torch.randn(2, 1, 6, 6)", "y.square().mean()"),
    ("dropout", "nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.5), nn.Linear(8, 2))",
     "torch.randn(4, 3)", "y.square().mean()"),
    ("embedding", "nn.Sequential(nn.Embedding(10, 4), nn.Linear(4, 2))",
     "torch.randint(0, 10, (4,))", "y.square().mean()"),
    ("embedding_sparse", "nn.Sequential(nn.Embedding(10, 4, sparse=True), nn.Linear(4, 2))",
     "torch.randint(0, 10, (4,))", "y.square().mean()"),
    ("rnn", "nn.RNN(3, 4)", "torch.randn(5, 2, 3)", "y[0].square().mean()"),
    ("lstm", "nn.LSTM(3, 4, batch_first=True)", "torch.randn(2, 5, 3)", "y[1][0].square().mean()"),
    ("gru", "nn.GRU(3, 4, num_layers=2, bidirectional=True)", "torch.randn(5, 2, 3)",
     "y[0].square().mean()"),
    ("transformer", "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2)",
     "torch.randn(2, 5, 8)", "y.square().mean()"),
    ("attention", "nn.TransformerDecoderLayer(8, 2, 16)", "torch.randn(5, 2, 8)", "y.square().mean()"),
    ("complex", "nn.Linear(3, 2, dtype=torch.complex64)", "torch.randn(4, 3, dtype=torch.complex64)",
     "y.abs().square().sum()"),
    ("double", "nn.Linear(3, 2).double()", "torch.randn(4, 3).double()", "y.square().sum()"),
    ("bfloat16", "nn.Linear(3, 2).bfloat16()", "torch.randn(4, 3).bfloat16()", "y.square().sum()"),
    ("half", "nn.Linear(3, 2).half()", "torch.randn(4, 3).half()", "y.square().sum()"),
    ("lazy", "nn.Sequential(nn.LazyLinear(4), nn.ReLU(), nn.LazyLinear(2))", "torch.randn(4, 3)",
     "y.square().sum()"),
    ("weight_norm", "nn.Sequential(nn.utils.parametrizations.weight_norm(nn.Linear(3, 2)), nn.Tanh())",
     "torch.randn(4, 3)", "y.square().sum()"),
    ("spectral_norm",
     "nn.Sequential(nn.utils.parametrizations.spectral_norm(nn.Linear(3, 2)), nn.Tanh())",
     "torch.randn(4, 3)", "y.square().sum()"),
    ("old_spectral_norm", "nn.Sequential(nn.utils.spectral_norm(nn.Linear(3, 2)), nn.Tanh())",
     "torch.randn(4, 3)", "y.square().sum()"),
    ("channels_last", "nn.Conv2d(3, 2, 3).to(memory_format=torch.channels_last)",
     "torch.randn(2, 3, 6, 6).to(memory_format=torch.channels_last)", "y.square().sum()"),
    ("zero_size", "nn.Linear(3, 2)", "torch.randn(0, 3)", "y.square().sum()"),
    ("no_parts", "nn.Linear(3, 1)", "torch.randn(4, 3)", "y.square().sum()"),
    ("module_list", "nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 2)])", "torch.randn(4, 3)",
     "model[1](model[0](x)).square().sum()"),
]
ROWS = [program("layer_" + name, model=model, x=x, loss=loss,
                forward="pass" if name == "module_list" else
                "y = model(x, x)" if name == "attention" else "y = model(x)",
                **({"setup": "print(sum(p.numel() for p in model.parameters() if not "
                             "isinstance(p, nn.UninitializedParameter)))"
                    if name != "lazy" else "model(torch.randn(1, 3))\n"
                             "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)"}))
        for name, model, x, loss in LAYERS]
for row in ROWS:
    if row["name"] == "layer_lazy":
        row["source"] = row["source"].replace(
            "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nmodel(", "model(")
        row["holds"] = ["0.weight", "0.weight.grad", "2", "loss"]
    if row["name"] == "layer_no_parts":
        row["holds"] = ["weight", "weight.grad", "Linear", "Linear.grad", "Linear.input", "loss"]
    if row["name"] == "layer_embedding_sparse":
        row["holds"] = ["0.weight", "0.weight.grad", "1", "loss"]

ROWS += [
    program("plain", lines={"loss": "loss.backward()", "0": "y = model(x)", "0.weight.grad": "model"}),
    program("plain_api", api=True, lines={"loss": "loss.backward()", "0": "y = model(x)"}),
    program("net", "Net()", lines={"fc1": "self.fc1(x)", "fc2.grad": "self.fc1(x)"}),
    program("net_api", "Net()", api=True, lines={"fc1": "self.fc1(x)"}),
    program("random", end="print(torch.rand(3), torch.get_rng_state().sum())"),
    program("adam", setup="optimizer = torch.optim.AdamW(model.parameters())\n"
            "scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)",
            end="scheduler.step(); print(optimizer.state_dict()['state'].keys())"),
    program("scheduler", setup="scheduler = torch.optim.lr_scheduler.LinearLR(optimizer)",
            end="scheduler.step(); print(scheduler.get_last_lr())"),
    program("criterion", loss="criterion(y, torch.zeros(4, dtype=torch.long))",
            setup="criterion = nn.CrossEntropyLoss()", holds=HOLDS + ["CrossEntropyLoss"]),
    program("functional_loss", loss="F.cross_entropy(y, torch.zeros(4, dtype=torch.long))"),
    program("autograd_backward", forward="y = model(x)\n"
            "torch.autograd.backward(y.sum(), retain_graph=True)", holds=HOLDS + ["loss#2"]),
    program("none_gradients", end="optimizer.zero_grad(set_to_none=True); print(model[0].weight.grad)"),
    program("clip", loss="y.square().sum()", forward="y = model(x)\n"
            "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)"),
    program("retain", forward="y = model(x)\ny.sum().backward(retain_graph=True)", holds=["loss#2"]),
    program("second_order", forward="y = model(x)", loss="sum(g.square().sum() for g in "
            "torch.autograd.grad(y.square().sum(), model.parameters(), create_graph=True))"),
    program("gradient_penalty", x="torch.randn(4, 3, requires_grad=True)",
            loss="torch.autograd.grad(y.sum(), x, create_graph=True)[0].norm(2)"),
    program("twice", forward="y = model(x) + model(x)", holds=["0#2", "1#2", "0.grad", "Sequential.input#2"]),
    program("shared", "nn.Sequential(l := nn.Linear(3, 3), nn.Tanh(), l, nn.Tanh())",
            holds=["0", "0#2", "0.weight", "3"]),
    program("tied", before=net("return F.linear(self.fc1(x), self.tied)").replace(
        "nn.Linear(4, 2)", "nn.Linear(3, 4)\n        self.tied = self.fc2.weight = self.fc1.weight"
        "\n        self.tied = nn.Parameter(torch.randn(2, 4))"), model="Net()"),
    program("activation_twice", before=net("return self.act(self.fc2(self.act(self.fc1(x))))",
            "        self.act = nn.Tanh()\n"), model="Net()", holds=["act", "act#2", "act.grad"]),
    program("tanh_twice", before=net("return Tanh(self.fc2(Tanh(self.fc1(x))))"), model="Net()",
            setup="Tanh = nn.Tanh()\nOther = nn.Tanh()",
            forward="y = Other(Tanh(model(x)))\nz = Tanh(Other(y))",
            holds=["Tanh", "Tanh#2", "Tanh#2.input", "Tanh.input"]),
    program("in_list", before=net("for layer in self.layers:\n    x = layer(x)\nreturn x",
            "        self.layers = [nn.Linear(3, 3), nn.Linear(3, 2)]\n"), model="Net()",
            setup="optimizer = torch.optim.SGD([p for l in model.layers for p in l.parameters()], 0.1)",
            holds=["Linear", "Linear#2", "Net"]),
    program("inplace", "nn.Sequential(nn.Linear(3, 2), nn.ReLU(inplace=True), nn.Linear(2, 2))",
            forward="y = model(x)\ny += 1\ny[0] = 0", holds=["0", "1", "2", "2.grad"]),
    program("outputs", before=net("return {'a': self.fc1(x), 'b': (self.fc2(self.fc1(x)), None), 3: 'text'}"),
            model="Net()", loss="y['b'][0].sum()", holds=["Net.a", "Net.b.0", "fc1#2"]),
    program("dataclass", before="import dataclasses\n@dataclasses.dataclass\nclass Out:\n"
            "    a: torch.Tensor\n    b: int = 3\n" + net("return Out(self.fc1(x))"), model="Net()",
            loss="y.a.sum()", holds=["Net.a", "Net.a.grad"]),
    program("named_tuple", before="import collections\nOut = collections.namedtuple('Out', 'a b')\n"
            + net("return Out(self.fc1(x), [self.fc2(self.fc1(x))])"), model="Net()",
            loss="y.a.sum() + y.b[0].sum()", holds=["Net.0", "Net.1"]),
    program("none", before=net("self.kept = self.fc1(x)"), model="Net()", loss="model.kept.sum()",
            holds=["fc1", "fc1.grad"]),
    program("keywords", before=net("return self.fc1(x) + (more if more is not None else 0)").replace(
        "forward(self, x)", "forward(self, x, *, more=None)"), model="Net()",
        forward="y = model(x, more=torch.ones(4))", holds=["Net.input", "Net.input.more"]),
    program("custom_function", before="class Twice(torch.autograd.Function):\n"
            "    @staticmethod\n    def forward(ctx, x):\n        return x * 2\n"
            "    @staticmethod\n    def backward(ctx, g):\n        return g * 2\n"
            + net("return Twice.apply(self.fc1(x))"), model="Net()", holds=["Net", "fc1.grad"]),
    program("buffers", before=net("self.seen += 1\nreturn self.fc1(x) * self.scale",
            "        self.register_buffer('scale', torch.ones(4))\n        self.seen = 0\n"),
            model="Net()", end="print(model.seen, list(model.state_dict()))"),
    program("checkpoint", before="from torch.utils.checkpoint import checkpoint\n" +
            net("return self.fc2(checkpoint(self.fc1, x, use_reentrant=False))"), model="Net()",
            holds=["fc1", "fc2", "fc1.weight.grad"]),
    program("checkpoint_reentrant", before="from torch.utils.checkpoint import checkpoint\n" +
            net("return self.fc2(checkpoint(self.fc1, x, use_reentrant=True))"), model="Net()",
            x="torch.randn(4, 3, requires_grad=True)", holds=["fc1", "fc2", "fc1.weight.grad"]),
    program("checkpoint_sequential", "nn.Sequential(*[nn.Linear(3, 3) for _ in range(4)])",
            before="from torch.utils.checkpoint import checkpoint_sequential",
            forward="y = checkpoint_sequential(model, 2, x, use_reentrant=False)"),
    program("hooks", setup="seen = []\n"
            "model[0].register_forward_hook(lambda m, a, o: seen.append('f') or o * 2)\n"
            "model[0].register_forward_pre_hook(lambda m, a: seen.append('p') or (a[0] + 1,))\n"
            "model[0].register_full_backward_hook(lambda m, i, o: seen.append('b'))\n"
            "model[0].weight.register_hook(lambda g: seen.append('g') or g * 3)",
            end="print(seen, model[0].weight)"),
    program("global_hooks", setup="seen = []\n"
            "from torch.nn.modules.module import register_module_forward_hook\n"
            "handle = register_module_forward_hook(lambda m, a, o: seen.append(type(m).__name__))",
            end="print(seen); handle.remove(); print(len(nn.modules.module._global_forward_hooks))"),
    program("optimizer_hooks", setup="seen = []\n"
            "optimizer.register_step_post_hook(lambda *a: seen.append('after'))\n"
            "optimizer.register_step_pre_hook(lambda *a: seen.append('before'))", end="print(seen)"),
    program("old_backward_hook", setup="seen = []\n"
            "model[0].register_backward_hook(lambda m, i, o: seen.append(len(o)))", end="print(seen)"),
    program("accumulated_hook", setup="seen = []\nfor p in model.parameters():\n"
            "    p.register_post_accumulate_grad_hook(lambda p: seen.append(p.shape))",
            end="print(seen)"),
    program("saved_hooks", forward="with torch.autograd.graph.saved_tensors_hooks("
            "lambda t: t * 1, lambda t: t):\n    y = model(x)"),
    program("anomaly", setup="torch.autograd.set_detect_anomaly(True)"),
    program("deepcopy", end="copied = copy.deepcopy(model)\nprint(copied(torch.ones(1, 3)))\n"
            "print(list(copied.state_dict()))", options=["--count", "3"]),
    program("deepcopy_each", forward="y = model(x) + copy.deepcopy(model)(x)",
            holds=HOLDS[:4]),
    program("saved", end="buffer = io.BytesIO()\ntorch.save(model, buffer)\nbuffer.seek(0)\n"
            "again = torch.load(buffer, weights_only=False)\nprint(again(torch.ones(1, 3)))",
            options=["--count", "3"]),
    program("saved_net", "Net()", end="buffer = io.BytesIO()\ntorch.save(model, buffer)\nbuffer.seek(0)\n"
            "again = torch.load(buffer, weights_only=False)\nprint(again(torch.ones(1, 3)))\n"
            "print(type(again).__module__)", options=["--count", "3"]),
    program("saved_within", "Net()", forward="buffer = io.BytesIO()\ntorch.save(model, buffer)\n"
            "buffer.seek(0)\nagain = torch.load(buffer, weights_only=False)\ny = model(x) + again(x)"),
    program("state_within", "Net()", forward="again = Net()\nagain.load_state_dict(model.state_dict())\n"
            "y = model(x) + again.fc1(x).sum()", holds=NET_HOLDS),
    program("embed_loaded", before=net("return self.fc1(self.embed(x))",
            "        self.embed = nn.Embedding(5, 3)\n") + "again = None\n", model="Net()",
            x="torch.randint(0, 5, (4,))",
            forward="again = copy.deepcopy(model)\ny = again.embed(x).sum() + model(x)\n"
            "y = y + again(x)", holds=["Embedding", "weight", "Net.embed.weight", "Net#2.embed.weight", "Net",
                                       "Embedding#2", "loss"]),
    source("closure", "m = nn.Linear(3, 2)\no = torch.optim.LBFGS(m.parameters(), max_iter=3)\n"
           "def closure():\n    o.zero_grad()\n    l = m(torch.ones(1, 3)).square().sum()\n    l.backward()\n"
           "    return l\nfor _ in range(2):\n    print(o.step(closure).item())\n", runs=2,
           holds={1: ["Linear", "Linear#2", "loss", "weight.grad"]}),
    source("closure_sgd", "m = nn.Linear(3, 2)\no = torch.optim.Adam(m.parameters())\n"
           "def closure():\n    o.zero_grad()\n    l = m(torch.ones(1, 3)).square().sum()\n    l.backward()\n"
           "    return l\nfor _ in range(2):\n    print(o.step(closure).item())\n", runs=2,
           holds=["Linear", "loss", "weight.grad"], lacks=["Linear#2"]),
    program("accumulated", forward="for part in x.split(2):\n    model(part).sum().backward()\n"
            "y = model(x)", holds=HOLDS + ["loss#2", "loss#3", "0#2"]),
    program("ema", setup="ema = torch.optim.swa_utils.AveragedModel(model)", options=["--count", "3"],
            end="ema.update_parameters(model); print(ema(torch.ones(1, 3)))"),
    program("eval", end="model.eval()\nwith torch.no_grad():\n    print(model(torch.ones(1, 3)))",
            runs=4, holds={3: HOLDS, 4: HOLDS[:3]}),
    program("inference", end="with torch.inference_mode():\n    print(model(torch.ones(1, 3)))", runs=4,
            holds={3: HOLDS, 4: HOLDS[:3]}),
    program("amp", forward="with torch.autocast('cpu', torch.bfloat16):\n    y = model(x)",
            loss="y.float().square().sum()"),
    program("scaler", setup="scaler = torch.amp.GradScaler('cpu', init_scale=1024.0)",
            forward="with torch.autocast('cpu', torch.float16):\n    y = model(x)\n"
            "scaler.scale(y.float().square().sum()).backward()\nscaler.step(optimizer)\nscaler.update()\n"
            "optimizer.zero_grad()\ny = model(x)", runs=6),
    program("scaler_skips", setup="scaler = torch.amp.GradScaler('cpu', init_scale=1e38)",
            forward="y = model(x)\nscaler.scale(y.float().square().sum() * 1e5).backward()\n"
            "scaler.step(optimizer)\nscaler.update()\noptimizer.zero_grad()\ny = model(x)", runs=6),
    program("data_parallel", "nn.DataParallel(" + MODEL + ")", holds=["module.0", "module.1.grad", "loss"]),
    program("meta", forward="y = model(x)\nprint(nn.Linear(3, 2, device='meta')("
            "torch.randn(4, 3, device='meta')).shape)", left_out=["meta"]),
    program("default_device", setup="torch.set_default_device('cpu')",
            end="torch.set_default_device(None)"),
    program("default_dtype", before="torch.set_default_dtype(torch.float64)"),
    program("functions", options=["--functions"], holds=HOLDS + ["square", "sum", "randn"],
            lines={"square": "loss = y.square().sum()"}),
    program("functions_net", "Net()", options=["--functions"], lines={"relu": "torch.relu(self.fc1"},
            holds=NET_HOLDS + ["relu", "relu.grad"], lacks=["linear", "addmm"]),
    program("functions_default_device", options=["--functions"], setup="torch.set_default_device('cpu')",
            end="torch.set_default_device(None)", holds=HOLDS + ["square"]),
    source("functions_traced", "f = torch.jit.trace(lambda x: x.relu() * 2, torch.ones(3))\nimport re\n"
           "print(re.sub('# .*/', '# ', str(f.graph).replace('# ', '# /')))\nprint(f(torch.ones(2)), torch.ones(2).log())\n", options=["--functions"], holds=["log"]),
    source("functions_thread", "import threading\nm = nn.Linear(2, 2)\n"
           "t = threading.Thread(target=lambda: print(m(torch.ones(2)).exp()))\nt.start()\nt.join()\n"
           "print(torch.ones(2).log())\n", options=["--functions"], holds=["Linear", "log"], lacks=["exp"],
           left_out=["functions=True is about"]),
    program("functions_within", options=["--functions"], holds=HOLDS + ["square"],
            forward="with torch.device('cpu'):\n    y = model(x)\n    optimizer.step()\n    torch.ones(3)\n"
            "y = model(x)", runs=6),
    program("origin_log", loss="-torch.log(p)[:, 0].mean()", options=["--functions"], origin="log",
            forward="p = F.softmax(model(x) * 1000, 1)", model="nn.Linear(3, 2)",
            lines={"log": "loss = -torch.log(p)", "softmax": "p = F.softmax("},
            holds=["softmax", "log", "neg", "getitem", "mean", "loss"]),
    program("origin_log_api", loss="-torch.log(p)[:, 0].mean()", api=True, origin="log",
            forward="p = F.softmax(model(x) * 1000, 1)", model="nn.Linear(3, 2)",
            before="", holds=["softmax", "log"]),
    program("origin_loss", loss="-torch.log(p)[:, 0].mean()", origin="loss",
            forward="p = F.softmax(model(x) * 1000, 1)", model="nn.Linear(3, 2)",
            lines={"loss": "loss.backward()"}),
]
for row in ROWS:
    if row["name"] == "origin_log_api":
        row["source"] = row["source"].replace('"$OUT", model', '"$OUT", model, functions=True')

# ---- torch.compile

COUNTER = """
graphs = []
def counter(module, inputs):
    graphs.append(len(module.graph.nodes))
    return module.forward
"""
END = "print(graphs)"
COMPILED = ["torch.compile compiled it"]


def compiled(name, setup, backend="counter", **row):
    row.setdefault("left_out", COMPILED)
    row.setdefault("holds", WHOLE)
    return program("compile_" + name, "Net()", before=NET + COUNTER,
                   setup=setup.replace("BACKEND", "backend=" + backend), end=END, **row)


ROWS += [
    compiled("module", "model = torch.compile(model, BACKEND)"),
    compiled("module_api", "model = torch.compile(model, BACKEND)", api=True),
    compiled("method", "model.compile(BACKEND)"),
    compiled("method_api", "model.compile(BACKEND)", api=True),
    compiled("whole_graph", "model = torch.compile(model, BACKEND, fullgraph=True)"),
    compiled("eager", "model = torch.compile(model, BACKEND)", "'eager'"),
    compiled("aot", "model = torch.compile(model, BACKEND)", "'aot_eager'"),
    compiled("inductor", "model = torch.compile(model)"),
    compiled("loss", "@torch.compile(BACKEND)\ndef loss_of(y):\n    return y.square().sum()",
             loss="loss_of(y)", holds=NET_HOLDS + ["loss_of"]),
    compiled("step", "def train(x):\n    loss = model(x).square().sum()\n    loss.backward()\n"
             "    return loss\ntrain = torch.compile(train, BACKEND)", forward="y = train(x).detach()",
             loss="model(x).sum()", holds=["fc1.weight", "fc1.weight.grad", "loss", "train"]),
    compiled("step_with_optimizer", "@torch.compile(BACKEND)\ndef train(x):\n    optimizer.zero_grad()\n"
             "    loss = model(x).square().sum()\n    loss.backward()\n    optimizer.step()\n"
             "    return loss", forward="print(train(x).item())\ny = model(x)", runs=6,
             holds=["fc1.weight", "loss"]),
    compiled("part", "model.fc1 = torch.compile(model.fc1, BACKEND)",
             holds=["fc1", "fc1.input", "fc2", "fc2.weight.grad", "fc1.weight.grad", "Net"]),
    compiled("graph_break", "model = torch.compile(model, BACKEND)"),
    compiled("functions", "model = torch.compile(model, BACKEND)", options=["--functions"],
             holds=WHOLE + ["square"], lacks=["relu"]),
    compiled("optimizer", "model = torch.compile(model, BACKEND)\nfinish = torch.compile(optimizer.step, BACKEND)",
             forward="y = model(x)\ny.sum().backward()\nfinish()\noptimizer.zero_grad()\ny = model(x)",
             runs=6),
    compiled("disabled", "model = torch.compile(model, BACKEND, disable=True)",
             holds=["fc1", "loss"], left_out=()),
]
for row in ROWS:
    if row["name"] == "compile_graph_break":
        row["source"] = row["source"].replace("torch.relu(self.fc1(x))", "self.broken(self.fc1(x))").replace(
            "    def forward", "    def broken(self, x):\n        print('break')\n        return x\n"
            "    def forward")
# the model is compiled and called before the recorder is made
for name, how in (("before", "model = torch.compile(model, backend=counter)"),
                  ("method_before", "model.compile(backend=counter)")):
    ROWS.append(compiled(name, "", api=True))
    ROWS[-1]["source"] = ROWS[-1]["source"].replace(
        "model = Net()", "model = Net()\n" + how + "\nmodel(torch.randn(4, 3)).sum().backward()")
ROWS.append(compiled("step_before", "", api=True, forward="y = train(x)", loss="model(x).sum()",
                     left_out=(), holds=["fc1.weight", "fc1.weight.grad"]))
ROWS[-1]["source"] = ROWS[-1]["source"].replace(
    "model = Net()", "model = Net()\n@torch.compile(backend=counter)\ndef train(x):\n"
    "    return model(x).square().sum()\ntrain(torch.randn(4, 3))")

# ---- What is no plain tensor or no plain program.

ROWS += [
    source("no_module", "print(torch.ones(3).sum())\n", nothing=True),
    source("no_torch", "print(sys.argv[1:], __name__, __doc__)\n", nothing=True, process=True,
           said="record_pytorch: no step was recorded: no module computed what can be recorded\n", args=["-x", "--lr", "0.1"]),
    source("arguments", "import argparse\np = argparse.ArgumentParser()\np.add_argument('--count', type=int)\n"
           "p.add_argument('file', nargs='*')\nprint(p.parse_args())\nprint(os.path.basename(sys.argv[0]))\n",
           nothing=True, args=["--count", "7", "a", "--", "-b"]),
    source("main", "def main():\n    print(nn.Linear(3, 2)(torch.ones(1, 3)).sum() * 0)\n"
           "if __name__ == '__main__':\n    main()\n", holds=["Linear", "weight"]),
    source("beside", "import other, package.inner\nprint(other.f(), package.inner.g())\n", nothing=True,
           files={"other.py": "def f():\n    return __name__, __file__[-8:]\n", "package/__init__.py": "",
                  "package/inner.py": "from ..other import f\n" if False else
                  "from . import __name__ as n\ndef g():\n    return n\n"}),
    source("exit_code", "nn.Linear(1, 1)(torch.ones(1, 1))\nsys.exit(7)\n", status=7, holds=["Linear"]),
    source("exit_text", "sys.exit('that is wrong')\n", status=1, stderr="that is wrong", nothing=True),
    source("raises", "nn.Linear(1, 1)(torch.ones(1, 1))\nraise KeyError('mine')\n", status=1,
           stderr="KeyError: 'mine'", holds=["Linear"]),
    source("wrong_shape", "m = nn.Sequential(nn.Linear(1, 1), nn.Linear(2, 2))\ntry:\n    m(torch.ones(1, 1))\n"
           "except RuntimeError as e:\n    print(type(e), str(e)[:20])\nm[0](torch.ones(1, 1)).sum().backward()\n",
           holds=["0", "0#2", "loss"]),
    source("raises_in_backward", "x = nn.Linear(1, 1)(torch.ones(1, 1))\nx.register_hook(lambda g: 1 / 0)\n"
           "try:\n    x.sum().backward()\nexcept ZeroDivisionError as e:\n    print(e)\n", holds=["loss"]),
    source("no_gradient", "try:\n    torch.ones(1).backward()\nexcept RuntimeError as e:\n    print(str(e)[:30])\n",
           holds=["loss"]),
    source("func_grad", "from torch.func import functional_call, grad\nm = nn.Sequential(nn.Linear(3, 2), nn.Tanh())\n"
           "p = dict(m.named_parameters())\nf = lambda p, x: functional_call(m, p, (x,)).sum()\n"
           "print(grad(f)(p, torch.ones(4, 3)))\n", left_out=["torch.func"], holds=["0", "1", "Sequential.input"]),
    source("func_vmap", "from torch.func import vmap, grad, functional_call\nm = nn.Linear(3, 2)\n"
           "p = {k: v.detach() for k, v in m.named_parameters()}\n"
           "f = lambda p, x: functional_call(m, p, (x,)).sum()\n"
           "print(vmap(grad(f), (None, 0))(p, torch.ones(4, 3))['weight'].shape)\n", left_out=["torch.func"],
           holds=["Linear", "weight"]),
    source("func_jvp", "m = nn.Linear(3, 2)\nx = torch.ones(4, 3)\n"
           "print(torch.func.jvp(m, (x,), (x,))[1].shape, torch.func.jacrev(m)(x).shape)\n"
           "print(torch.func.hessian(lambda x: m(x).sum())(x).shape)\n", left_out=["torch.func"],
           holds=["Linear", "Linear#2"]),
    source("func_stack", "models = [nn.Linear(3, 2) for _ in range(3)]\n"
           "p, b = torch.func.stack_module_state(models)\nbase = copy.deepcopy(models[0]).to('meta')\n"
           "f = lambda p, b, x: torch.func.functional_call(base, (p, b), (x,))\n"
           "print(torch.func.vmap(f, (0, 0, None))(p, b, torch.ones(4, 3)).shape)\n",
           holds=["Linear"]),
    source("old_functional", "m = nn.Linear(3, 1)\nx = torch.ones(3)\n"
           "print(torch.autograd.functional.jacobian(m, x).shape)\n"
           "print(torch.autograd.functional.hessian(m, x))\n", holds=["Linear"]),
    source("forward_mode", "import torch.autograd.forward_ad as fw\nm = nn.Linear(3, 1)\nwith fw.dual_level():\n"
           "    x = fw.make_dual(torch.ones(3), torch.ones(3))\n    print(fw.unpack_dual(m(x)).tangent.shape)\n",
           holds=["Linear"]),
    source("sparse", "class M(nn.Module):\n    def forward(self, x):\n        return x.to_sparse(), x.to_sparse_csr()\n"
           "print(M()(torch.eye(3))[0].layout)\n", holds=["M.0", "M.1", "M.input"]),
    source("nested", "class M(nn.Module):\n    def forward(self, x):\n        return x\n"
           "n = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)], layout=torch.jagged)\n"
           "o = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)])\n"
           "print(M()(n).is_nested, M()(o).is_nested)\n", holds=["M"]),
    source("quantized", "class M(nn.Module):\n    def forward(self, x):\n        return x\n"
           "q = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8)\nprint(M()(q).dtype)\n",
           holds=["M", "M.input"], needs="torch.quantize_per_tensor(torch.ones(1), 0.1, 0, torch.quint8)"
           ".dtype"),
    source("quantized_dynamic", "m = nn.Sequential(nn.Linear(3, 2), nn.ReLU())\n"
           "q = torch.ao.quantization.quantize_dynamic(m, {nn.Linear})\nprint(q(torch.ones(1, 3)).shape)\n",
           holds=["1"], needs="torch.ao.quantization.quantize_dynamic"),
    source("dtypes", "class M(nn.Module):\n    def forward(self, x, t):\n        return x.to(t)\n"
           "for t in 'float8_e4m3fn float8_e5m2 int8 uint16 bool complex64 float8_e8m0fnu'.split():\n"
           "    print(M()(torch.ones(3), getattr(torch, t)).dtype)\n", holds=["M", "M#2"],
           needs="torch.float8_e8m0fnu"),
    source("odd_dtypes", "class M(nn.Module):\n    def forward(self, x):\n        return x\n"
           "print(M()(torch.ones(3, dtype=torch.complex128)).dtype)\n"
           "print(M()(torch.zeros(4, dtype=torch.uint8).view(torch.float4_e2m1fn_x2)).dtype)\n",
           holds=["M.input.real_imag", "M.real_imag"], left_out=["float4"], needs="torch.float4_e2m1fn_x2"),
    source("scalars", "class M(nn.Module):\n    def forward(self, x):\n        return x, torch.tensor(3), torch.empty(0), 3\n"
           "print(M()(torch.tensor(1.5)))\n", holds=["M.0", "M.1", "M.2", "M.input"]),
    source("views", "class M(nn.Module):\n    def forward(self, x):\n        return x.t(), x[::2], x.expand(2, 3, 4), x.conj(), x.imag\n"
           "print(len(M()(torch.randn(3, 4, dtype=torch.complex64))))\n", holds=["M.0", "M.2", "M.4"]),
    source("freed", "class M(nn.Module):\n    def forward(self, x):\n        return x\nx = torch.ones(9)[3:]\n"
           "x.untyped_storage().resize_(0)\nprint(M()(x).shape)\n", left_out=["freed"], nothing=True),
    source("subclass", "class T(torch.Tensor):\n    @classmethod\n    def __torch_function__(cls, f, t, a=(), k=None):\n"
           "        print(getattr(f, '__name__', f))\n        return super().__torch_function__(f, t, a, k or {})\n"
           "print(nn.Linear(3, 2)(torch.ones(1, 3).as_subclass(T)).shape)\n", holds=["Linear"]),
    source("modes", "from torch.utils._python_dispatch import TorchDispatchMode\nclass Mode(TorchDispatchMode):\n"
           "    def __torch_dispatch__(self, f, t, a=(), k=None):\n        print(f)\n        return f(*a, **(k or {}))\n"
           "with Mode():\n    nn.Linear(3, 2)(torch.ones(1, 3)).t().sum().backward()\n",
           holds=["Linear", "loss", "weight.grad"]),
    source("function_mode", "from torch.overrides import TorchFunctionMode\nclass Mode(TorchFunctionMode):\n"
           "    def __torch_function__(self, f, t, a=(), k=None):\n        print(getattr(f, '__name__', f))\n"
           "        return f(*a, **(k or {}))\nwith Mode():\n    nn.Linear(3, 2)(torch.ones(1, 3)).sum().backward()\n",
           holds=["Linear", "loss"]),
    source("fake", "from torch._subclasses.fake_tensor import FakeTensorMode\nwith FakeTensorMode():\n"
           "    print(nn.Linear(3, 2)(torch.ones(1, 3)))\n", left_out=["FakeTensor"], nothing=True),
    source("flops", "from torch.utils.flop_counter import FlopCounterMode\nwith FlopCounterMode(display=False) as f:\n"
           "    nn.Linear(3, 2)(torch.ones(1, 3)).sum().backward()\nprint(f.get_total_flops())\n"),
    source("script", "m = torch.jit.script(nn.Sequential(nn.Linear(3, 2), nn.Tanh()))\nm(torch.ones(1, 3)).sum().backward()\n"
           "print(m(torch.ones(1, 3)).shape)\n", left_out=["TorchScript"], holds=["0.weight", "0.weight.grad", "loss"]),
    source("trace", "m = nn.Sequential(nn.Linear(3, 2), nn.Tanh())\nt = torch.jit.trace(m, torch.ones(1, 3))\n"
           "print(t.graph)\nprint(t(torch.ones(1, 3)).shape)\n", left_out=["TorchScript"]),
    source("fx", "m = nn.Sequential(nn.Linear(3, 2), nn.Tanh())\ng = torch.fx.symbolic_trace(m)\nprint(g.code)\n"
           "g(torch.ones(1, 3)).sum().backward()\n", holds=["loss"]),
    source("export", "m = nn.Sequential(nn.Linear(3, 2), nn.Tanh())\ne = torch.export.export(m, (torch.ones(1, 3),))\n"
           "print(e.graph)\nprint(e.module()(torch.ones(1, 3)).shape)\n"),
    source("profiler", "m = nn.Linear(3, 2)\nwith torch.profiler.profile() as p:\n    m(torch.ones(1, 3)).sum().backward()\n"
           "print(sorted((e.key, e.count) for e in p.key_averages() if 'aten' in e.key))\n", holds=["Linear", "loss"]),
    source("unhashable", "import dataclasses\n@dataclasses.dataclass\nclass M(nn.Module):\n    n: int = 2\n"
           "    def __post_init__(self):\n        super().__init__()\n        self.l = nn.Linear(3, self.n)\n"
           "    def forward(self, x):\n        return self.l(x)\nprint(M()(torch.ones(1, 3)).shape)\n", holds=["Linear", "M"],
           left_out=["unhashable"]),
    source("own_call", "class M(nn.Module):\n    def __call__(self, x):\n        print('called')\n        return super().__call__(x)\n"
           "    def forward(self, x):\n        return x\nM()(torch.ones(1, 3))\n", holds=["M"]),
    source("gan", "g, d = nn.Sequential(nn.Linear(2, 3), nn.Tanh()), nn.Sequential(nn.Linear(3, 1), nn.Sigmoid())\n"
           "a, b = (torch.optim.Adam(m.parameters()) for m in (g, d))\nfor i in range(2):\n"
           "    b.zero_grad(); (d(torch.ones(4, 3)) - d(g(torch.randn(4, 2)).detach())).sum().backward(); b.step()\n"
           "    a.zero_grad(); l = d(g(torch.randn(4, 2))).sum(); l.backward(); a.step()\n    print(l.item())\n",
           runs=4, holds={1: ["0", "Sequential#2.0", "loss"], 2: ["0", "Sequential#2.0", "loss"]}),
    source("own_optimizer", "class Mine(torch.optim.SGD):\n    def step(self, closure=None):\n        print('mine')\n"
           "        return super().step(closure)\nm = nn.Linear(1, 1)\no = Mine(m.parameters(), 0.1)\nfor _ in range(2):\n"
           "    m(torch.ones(1, 1)).sum().backward(); o.step()\n", runs=2),
    source("own_optimizer2", "class Mine(torch.optim.Optimizer):\n    def __init__(self, p):\n        super().__init__(p, {})\n"
           "    @torch.no_grad()\n    def step(self):\n        for g in self.param_groups:\n            for p in g['params']:\n"
           "                p -= 0.1 * p.grad\nm = nn.Linear(1, 1)\no = Mine(m.parameters())\nfor _ in range(2):\n"
           "    m(torch.ones(1, 1)).sum().backward(); o.step(); print(m.weight.item())\n", runs=2),
    source("threads", "import threading\nm = nn.Linear(3, 2)\ndef f():\n    for _ in range(50):\n"
           "        m(torch.ones(1, 3)).sum().backward()\nt = [threading.Thread(target=f) for _ in range(4)]\n"
           "[x.start() for x in t]\n[x.join() for x in t]\nprint(m.weight.grad)\n", holds=["Linear", "loss"]),
    source("late_thread", "import threading, time\nclass M(nn.Module):\n    def forward(self, x):\n        return x\n"
           "def f():\n    threading.main_thread().join()\n    import pickle\n    print(type(pickle.loads(pickle.dumps(M()))))\n"
           "threading.Thread(target=f).start()\n", nothing=True, process=True),
    source("workers", "from torch.utils.data import DataLoader, Dataset\nclass D(Dataset):\n    def __init__(self):\n"
           "        self.m = nn.Linear(3, 2)\n    def __len__(self):\n        return 8\n    def __getitem__(self, i):\n"
           "        return self.m(torch.ones(3) * i).detach()\nif __name__ == '__main__':\n    m = nn.Linear(2, 1)\n"
           "    for b in DataLoader(D(), 2, num_workers=2):\n        print(m(b).shape)\n", holds=["Linear"],
           process=True),
    source("workers_spawn", "from torch.utils.data import DataLoader, Dataset\nclass D(Dataset):\n"
           "    def __len__(self):\n        return 8\n    def __getitem__(self, i):\n"
           "        return torch.ones(2) * i\nif __name__ == '__main__':\n    m = nn.Linear(2, 1)\n"
           "    for b in DataLoader(D(), 2, num_workers=1, multiprocessing_context='spawn'):\n        print(m(b).shape)\n",
           holds=["Linear"], process=True),
    source("packed", "from torch.nn.utils.rnn import pack_padded_sequence as pack\nm = nn.LSTM(3, 4)\n"
           "y, _ = m(pack(torch.randn(5, 2, 3), [5, 3]))\ny.data.sum().backward()\nprint(y.data.shape)\n",
           holds=["LSTM.input.0", "weight_ih_l0.grad", "loss"]),
    source("no_names", "m = nn.ModuleDict({'a/b': nn.Linear(2, 2), 'c d': nn.Linear(2, 2)})\n"
           "print(m['c d'](m['a/b'](torch.ones(1, 2))).shape)\n", holds=["Linear", "Linear#2"]),
    source("full_disk", "import errno\nm = nn.Linear(2, 2)\nopened = open\n"
           "#: import builtins\n#: def no(path, *a, **k):\n#:     if '.safetensors' in str(path): raise OSError(errno.ENOSPC, 'No space left')\n"
           "#:     return opened(path, *a, **k)\n#: builtins.open = no\nprint(m(torch.ones(1, 2)).shape)\n",
           left_out=["No space left"], nothing=True),
    dict(source("interrupted", "m = nn.Linear(2, 2)\n#: import record_pytorch\n"
                "#: step = record_pytorch.Recorder('$OUT', m).step\n#: replace = os.replace\n"
                "#: def no(old, new):\n#:     if new.endswith('.safetensors'): raise KeyboardInterrupt\n"
                "#:     replace(old, new)\n#: os.replace = no\ntry:\n    with step():\n        y = m(torch.ones(1, 2))\n"
                "except KeyboardInterrupt:\n    pass\nprint(y)\n", nothing=True), api=True),
    dict(source("others_directories", "m = nn.Linear(2, 2)\n#: import record_pytorch\n"
                "#: os.makedirs('$OUT/a/b', 0o700)\n#: os.chmod('$OUT/a', 0o700)\n"
                "#: step = record_pytorch.Recorder('$OUT/a/b', m).step\n"
                "#: def no(*old): raise OSError('No space left')\n#: os.replace = no\n"
                "kept = True\nwith step():\n    print(m(torch.ones(1, 2)))\n"
                "#: kept = os.stat('$OUT/a/b').st_mode & 0o777 == 0o700\nprint(kept)\n", nothing=True), api=True),
    source("saved_inside", "import warnings\nwarnings.simplefilter('error')\nm = nn.Linear(2, 2)\n"
           "y = m(torch.ones(1, 2))\ntorch.save(y, io.BytesIO())\ny.sum().backward()\nprint(y)\n",
           holds=["Linear", "Linear.grad"]),
    source("second_recording", "#: os.makedirs('$OUT/step_7/rank0')\nprint(nn.Linear(2, 2)(torch.ones(1, 2)))\n",
           holds=[], said="already holds recorded steps: what is not recorded anew stays\n", nothing=False),
    source("first_is_late", "m = nn.Linear(2, 2)\no = torch.optim.SGD(m.parameters(), 0.1)\n"
           "for i in range(3):\n    m(torch.ones(1, 2)).sum().backward()\n    o.step()\n",
           options=["--first", "3"], nothing=True, process=True,
           said="record_pytorch: no step was recorded: the program had 3 steps, first is 3\n"),
    source("ends_after_change_of_directory", "os.makedirs('sub', exist_ok=True)\nm = nn.Linear(2, 2)\n"
           "os.chdir('sub')\nprint(m(torch.ones(1, 2)))\n", holds=["Linear"], process=True, lines={"Linear": "m(torch"}),
    source("no_directory", "m = nn.Linear(2, 2)\n#: open('$OUT', 'w').close()\nprint(m(torch.ones(1, 2)).shape)\n", nothing=True),
    source("changed_directory", "os.makedirs('sub', exist_ok=True)\nos.chdir('sub')\n"
           "nn.Linear(2, 2)(torch.ones(1, 2))\nprint(os.path.basename(os.getcwd()))\n", holds=["Linear"]),
    source("manual", "m = nn.Linear(2, 2)\nfor _ in range(3):\n    m(torch.ones(1, 2)).square().sum().backward()\n"
           "    with torch.no_grad():\n        for p in m.parameters():\n            p -= 0.1 * p.grad\n            p.grad = None\n"
           "print(m.weight)\n", holds=["Linear", "loss", "weight.grad"]),
    source("warnings", "import warnings\nwarnings.simplefilter('error')\nm = nn.Linear(3, 2)\n"
           "m(torch.eye(3)).sum().backward()\nprint(m.weight.grad)\n", holds=["loss"]),
    source("recursion", "class M(nn.Module):\n    def forward(self, n):\n        return self(n - 1) if n else torch.ones(1)\n"
           "print(M()(100))\n", holds=["M", "M#101"]),
    source("cycle", "class M(nn.Module):\n    def forward(self, x):\n        a = [x]\n        a.append(a)\n        return a\n"
           "print(len(M()(torch.ones(1))))\n", holds=["M.0"]),
    source("refuses", "class D(dict):\n    def items(self):\n        raise ValueError('no')\n"
           "class M(nn.Module):\n    def forward(self, x):\n        return D(x=x)\nprint(list(M()(torch.ones(1))))\n",
           left_out=["ValueError: no"]),
    dict(source("api_record", "m = nn.Linear(2, 2)\n#: import record_pytorch\n"
                "#: r = record_pytorch.Recorder('$OUT', m, count=2)\nfor i in range(3):\n"
                "    #: r.begin()\n    y = m(torch.ones(1, 2))\n    #: r.record('mine', y); r.record('three', 3.0)\n"
                "    #: r.record('bad', 'text'); r.record('mine', y)\n    #: r.end()\nprint(y.shape)\n",
                runs=2, holds=["mine", "three", "mine#2", "Linear"], left_out=["bad"], lines={"mine": "r.record"}),
         api=True),
    dict(source("api_compiled_record", "m = nn.Linear(2, 2)\nr = None\n#: import record_pytorch\n"
                "#: r = record_pytorch.Recorder('$OUT', m, count=2)\n@torch.compile(backend='eager', fullgraph=True)\n"
                "def f(x):\n    y = m(x)\n    if r: r.record('mine', y)\n    return y * 2\n"
                "#: r.begin()\nprint(f(torch.ones(1, 2)).shape)\n#: r.end()\n", holds=["f"],
                left_out=COMPILED), api=True),
    source("added_part", "m = nn.Sequential(nn.Linear(2, 2))\nprint(m(torch.ones(1, 2)).shape)\n"
           "m.append(nn.Linear(2, 1))\nm(torch.ones(1, 2)).sum().backward()\nprint(m[1].weight.grad)\n",
           holds=["0", "1", "1.weight", "1.weight.grad", "0#2", "Sequential#2"], lacks=["0.weight#2"]),
    source("warned", "import warnings\nm = nn.Linear(2, 2)\nm.register_full_backward_hook(lambda m, i, o: None)\n"
           "with warnings.catch_warnings(record=True) as said:\n    m(torch.ones(1, 2)).sum().backward()\n"
           "print(*[(os.path.basename(each.filename), each.lineno) for each in said])\n", holds=["Linear", "loss"]),
    dict(source("api_no_step", "m = nn.Linear(2, 2)\n#: import record_pytorch\n#: record_pytorch.Recorder('$OUT', m)\n"
                "print(m(torch.ones(1, 2)).shape)\n", nothing=True,
                said="record_pytorch: no step was recorded: no step() was begun\n"), api=True),
    dict(source("api_no_module", "#: import record_pytorch\n#: step = record_pytorch.Recorder('$OUT').step\n"
                "with step():\n    print(torch.ones(1))\n", nothing=True,
                said="record_pytorch: no step was recorded: nothing to record came in its 1 step\n"), api=True),
    dict(source("api_late", "m = nn.Linear(2, 2)\n#: import record_pytorch\n"
                "#: step = record_pytorch.Recorder('$OUT', m, first=5).step\n"
                "for i in range(2):\n    with step():\n        print(m(torch.ones(1, 2)).shape)\n", nothing=True,
                said="record_pytorch: no step was recorded: the program had 2 steps, first is 5\n"), api=True),
    dict(source("api_within", "m = nn.Linear(2, 2)\n#: import record_pytorch\n"
                "#: r = record_pytorch.Recorder('$OUT', m); r.end(); step = r.step\n"
                "for i in range(2):\n    with step():\n        with step():\n            y = m(torch.ones(1, 2))\n"
                "        print(m(y).shape)\n", runs=2, holds=["Linear", "Linear#2"], left_out=["within another one"]),
         api=True),
    dict(source("api_names", "m = nn.Linear(2, 2)\n#: import record_pytorch\n"
                "#: r = record_pytorch.Recorder('$OUT', m); r.begin()\n"
                "for name in 'a', 3, '3', '', '__metadata__', 'a\\0b', '\\ud800', 'a':\n"
                "    #: r.record(name, torch.ones(2))\n    print(repr(name))\n#: r.end()\n",
                holds=["a", "a#2", "3", "3#2", "__metadata__#2"]), api=True),
    dict(source("api_copied", "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
                "        self.recorder, self.layer = None, nn.Linear(2, 2)\nmodel = Net()\n#: import record_pytorch\n"
                "#: model.recorder = record_pytorch.Recorder('$OUT', model)\nbuffer = io.BytesIO()\n"
                "torch.save(model, buffer)\nbuffer.seek(0)\nagain = torch.load(buffer, weights_only=False)\n"
                "#: step = again.recorder.step\nwith step():\n    print(copy.deepcopy(model).layer.weight, again.layer(torch.ones(2)))\n",
                holds=["Linear"]), api=True),
    dict(source("api_exception", "m = nn.Linear(2, 2)\n#: import record_pytorch\n"
                "#: step = record_pytorch.Recorder('$OUT', m).step\ntry:\n    with step():\n        m(torch.ones(1, 2))\n"
                "        raise ValueError('mine')\nexcept ValueError as e:\n    print(e)\n", holds=["Linear"]), api=True),
]

RANKS = """
import os, sys, torch, torch.distributed as dist, torch.multiprocessing as mp
from torch import nn
def main(rank, world):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=sys.argv[1])
    dist.init_process_group("gloo", rank=rank, world_size=world)
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
    {wrap}
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i in range(2):
        optimizer.zero_grad()
        loss = model(torch.ones(2, 4) * (rank + 1)).sum()
        loss.backward()
        optimizer.step()
    if rank == 0:
        print("%.5f" % loss.item())
    dist.barrier()
    dist.destroy_process_group()
if __name__ == "__main__":
    {start}
"""
SPAWN = "mp.spawn(main, (2,), 2)"
FORK = ("ps = [mp.get_context('fork').Process(target=main, args=(i, 2)) for i in range(2)]\n"
        "    [p.start() for p in ps]\n    [p.join() for p in ps]\n    sys.exit(max(p.exitcode for p in ps))")
DDP = "model = nn.parallel.DistributedDataParallel(model)"
FSDP2 = ("from torch.distributed.fsdp import fully_shard\n"
         "    from torch.distributed.device_mesh import init_device_mesh\n"
         "    fully_shard(model, mesh=init_device_mesh('cpu', (world,)))")
PORTS = iter(range(29600, 29700))


def ranks(name, wrap, start, holds, **row):
    return dict(row, name=name, recorder="pytorch", process=True, args=[str(next(PORTS))], holds=holds,
                runs=2, source=RANKS.format(wrap=wrap, start=start),
                check=lambda directory: None if __import__("glob").glob(directory + "/step_0/rank1/*.safetensors")
                else "no rank1")


ROWS += [
    ranks("ddp_spawn", DDP, SPAWN, ["module.0", "module.0.weight.grad", "loss"]),
    ranks("ddp_fork", DDP, FORK, ["module.0", "module.0.weight.grad", "loss"]),
    dict(ranks("ddp_ends_late", DDP, SPAWN, ["module.0", "loss"]), runs=1),
    ranks("fsdp2_spawn", FSDP2, SPAWN, ["0", "0.weight", "0.weight.grad", "loss"]),
]
for row in ROWS:
    if row["name"] == "ddp_ends_late":     # no step ends before the group of processes does
        row["source"] = row["source"].replace("        optimizer.step()\n", "")
