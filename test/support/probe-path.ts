import { findSockets, nodeSockets } from '../../src/fabric/io/sockets.ts';

/** Prints what is found out about the paths to the hosts of the command line, by native sockets where they are, and without: JSON. */
const native = (await findSockets()).open(() => 0);
const plain = nodeSockets.open(() => 0);
const answers: unknown[] = [];
for (const host of process.argv.slice(2)) answers.push([await native.pathMtu(host), await plain.pathMtu(host)]);
console.log(JSON.stringify(answers));
native.close();
