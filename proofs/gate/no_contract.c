// gate: no_contract: no contract: the header promises nothing
int no_contract(int x) { return x > 5 ? 5 : x; }
