// Loaded into the server by node's --import: tells what only it knows of itself, a line every TOPOLOG_SOAK_MS. Garbage is collected
// first, as what only waits for that is no growth.
import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

const file = process.env.TOPOLOG_SOAK_FILE;
if (file !== undefined)
  setInterval(() => {
    collect();
    const { heapUsed, heapTotal, external } = process.memoryUsage();
    const resources = process.getActiveResourcesInfo().length;
    appendFileSync(file, `${JSON.stringify({ heapUsed, heapTotal, external, resources })}\n`);
  }, Number(process.env.TOPOLOG_SOAK_MS)).unref();
