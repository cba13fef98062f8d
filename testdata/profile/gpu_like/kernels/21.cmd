memory cpu
