def broken(out, scenario, interval):
    return []
