import { connect, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * A program: relays TCP from an address to a port of its own machine, and makes the way as slow or as dead as it is told, on standard input:
 * `delay MS` each way, `cut`, `mend`, `refuse`, `accept`, `to PORT`. What comes while it is cut comes later, as TCP has it; to refuse
 * ends what is connected as well. Prints `ready PORT`.
 */
const [host = '127.0.0.1', port = '0', ...rest] = process.argv.slice(2);
let to = Number(rest[0] ?? 0);
let delay = 0;
let isRefused = false;
const near = new Set<Socket>();
let isCut = false;
/** What waits for the way to be mended. */
const waiting: (() => void)[] = [];

const mend = (): void => {
  isCut = false;
  for (const pass of waiting.splice(0)) pass();
};

const mended = async (): Promise<void> => {
  while (isCut) await new Promise<void>((resolve) => waiting.push(resolve));
};
const late = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay));

/** In the order in which it came. */
const pass = (from: Socket, other: Socket): void => {
  let last: Promise<void> = Promise.resolve();
  const inOrder = (work: () => void): void => {
    const due = delay > 0 ? late() : undefined;
    last = last
      .then(() => due)
      .then(mended)
      .then(work);
  };
  from.on('data', (chunk) => inOrder(() => void other.write(chunk)));
  from.on('error', () => undefined);
  from.on('close', () => inOrder(() => other.destroy()));
};

const refuse = (): void => {
  isRefused = true;
  for (const socket of near) socket.resetAndDestroy();
};

const server = createServer((socket) => {
  if (isRefused) {
    socket.resetAndDestroy();
    return;
  }
  near.add(socket);
  socket.on('close', () => near.delete(socket));
  const far = connect(to, '127.0.0.1');
  pass(socket, far);
  pass(far, socket);
});
server.listen(Number(port), host, () => {
  const address = server.address();
  process.stdout.write(`ready ${typeof address === 'object' ? (address?.port ?? 0) : 0}\n`);
});

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [word, number] = line.split(' ');
    if (word === 'delay') delay = Number(number);
    else if (word === 'cut') isCut = true;
    else if (word === 'mend') mend();
    else if (word === 'refuse') refuse();
    else if (word === 'accept') isRefused = false;
    else if (word === 'to') to = Number(number);
  })
  // Nobody speaks to it any more: the test has ended, however.
  .on('close', () => process.exit());
