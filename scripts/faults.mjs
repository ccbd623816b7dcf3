// Finds out what faults do to what was answered, one suite at a time; kills of the server unless another one is named.
//   npm run faults -- [kills|mixed|states|flips|hostile|computes|failover|labs] [--seed S] [--seconds N] [flags of the suite]
const SUITES = ['kills', 'mixed', 'states', 'flips', 'hostile', 'computes', 'failover', 'labs'];
const [first] = process.argv.slice(2);
const suite = first === undefined || first.startsWith('-') ? 'kills' : first;
if (!SUITES.includes(suite)) {
  console.error(`faults: the suites are ${SUITES.join(', ')}; there is no ${suite}`);
  process.exit(2);
}
await import(`./faults/${suite}.mjs`);
