import numpy as np
import torch
from torch import nn

given = np.load("weights.npz")


class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.relu1 = nn.ReLU()
        self.conv2 = nn.Conv2d(4, 8, 3, stride=2, padding=1)
        self.relu2 = nn.ReLU()
        self.fc = nn.Linear(8, 10)

    def forward(self, x):
        x = self.relu1(self.conv1(x))
        x = self.relu2(self.conv2(x))
        return self.fc(x.mean((2, 3)))


def load(module, name, axes):
    module.weight.data = torch.from_numpy(given[name + "_w"].transpose(axes).copy())
    module.bias.data = torch.from_numpy(given[name + "_b"])


model = Digits()
load(model.conv1, "conv1", (3, 2, 0, 1))
load(model.conv2, "conv2", (3, 2, 0, 1))
load(model.fc, "fc", (1, 0))
print(model(torch.from_numpy(given["images"].transpose(0, 3, 1, 2).copy()))[0])
