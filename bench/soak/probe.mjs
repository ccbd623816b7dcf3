// Loaded into the server by node's --import: tells its parent what only it knows of itself, a line every TOPOLOG_SOAK_MS.
import { appendFileSync } from 'node:fs';

const file = process.env.TOPOLOG_SOAK_FILE;
if (file !== undefined)
  setInterval(() => {
    const { heapUsed, external } = process.memoryUsage();
    const resources = process.getActiveResourcesInfo().length;
    appendFileSync(file, `${JSON.stringify({ at: Date.now(), heapUsed, external, resources })}\n`);
  }, Number(process.env.TOPOLOG_SOAK_MS)).unref();
