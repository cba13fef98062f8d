import torch

model = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.Tanh())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(6):
    optimizer.zero_grad()
    model(torch.ones(4, 3)).sum().backward()
    optimizer.step()
