// Runs the checks of package.json side by side, a processor for each: what each prints comes in one piece, when it has ended.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const root = path.resolve(import.meta.dirname, '..');
/** Checks, the slowest first. */
const waiting = ['check:format', 'check:types', 'check:lint', 'check:exports', 'check:commits'];

const check = async (name) => {
  const run = spawn(`npm run --silent ${name} 2>&1`, { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, [code]] = await Promise.all([text(run.stdout), once(run, 'exit')]);
  process.stdout.write(`${name}${code === 0 ? '' : ': failed'}\n${said}`);
  if (code !== 0) process.exitCode = 1;
};

const inTurn = async () => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await check(name);
};
await Promise.all(Array.from({ length: availableParallelism() }, inTurn));
