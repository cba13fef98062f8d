dot model/y_hat
