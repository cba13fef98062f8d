import kit

torch = kit.need("torch")
import record_pytorch                                             # noqa: E402

torch.manual_seed(0)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = torch.nn.Linear(784, 256)
        self.act = torch.nn.ReLU(inplace=True)
        self.fc2 = torch.nn.Linear(256, 128)
        self.out = torch.nn.Linear(128, 10)

    def forward(self, x):
        x = self.act(self.fc1(x))
        x = self.act(self.fc2(x))
        return self.out(x.bfloat16().float())


net, loss_of = Net(), torch.nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)


def step(recorder=None):
    images, digits = torch.rand(64, 784), torch.randint(0, 10, (64,))
    optimizer.zero_grad()
    p = net(images)
    if recorder:
        recorder.record("half", p.bfloat16())
    loss = loss_of(p, digits)
    loss.backward()
    optimizer.step()


recorder = record_pytorch.Recorder(kit.RECORDING, net, first=1, every=2, count=2)
for i in range(6):
    with recorder.step():
        step(recorder)
    if i == 3:
        kit.keep(net.fc2.weight.grad.numpy())
every = record_pytorch.Recorder(kit.OUT + "/every", net, count=None, keep=2)


def recorded():
    with every.step():
        step()


kit.tell_cost(step, recorded)
with record_pytorch.profile(kit.OUT + "/profile") as profile:
    for _ in range(3):
        step()
        profile.step()
