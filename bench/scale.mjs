// How many cells and computes a school needs: `node bench/scale.mjs --students 10000 --nodes 30`. Measures nothing; what was measured
// is in bench/scale/costs.json. `npm run bench -- scale` checks it.
import { parseArgs } from 'node:util';
import { INPUTS, plan } from './scale/model.mjs';
import { describe } from './scale/text.mjs';

const flagOf = (name) => name.replaceAll('_', '-');
const options = Object.fromEntries(Object.keys(INPUTS).map((name) => [flagOf(name), { type: 'string' }]));
try {
  const { values } = parseArgs({ options: { ...options, help: { type: 'boolean' } } });
  if (values.help)
    for (const [name, [value, what]] of Object.entries(INPUTS))
      console.log(`  --${flagOf(name)} N`.padEnd(28), `${what} (${value})`);
  else {
    const given = Object.entries(values).map(([flag, text]) => [flag.replaceAll('-', '_'), Number(text)]);
    console.log(describe(plan(Object.fromEntries(given))));
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
