// The least that a durable update over HTTP can cost: node's own http server that reads a body, puts the bytes of one update into
// LevelDB with an fsync, and answers; what comes while a batch is written is the next batch. Started as a process of its own, as the
// server is; told where and how much by its parent.
import { createServer } from 'node:http';
import { Level } from 'level';
import { updateOps } from './update-ops.mjs';

process.once('message', async ({ place, sizes, answer }) => {
  const db = new Level(place);
  await db.open();
  const bytes = Buffer.from(answer);
  let position = 0;
  let waiting = [];
  let writing = false;
  const write = async () => {
    writing = true;
    while (waiting.length > 0) {
      const replies = waiting;
      waiting = [];
      const ops = replies.flatMap((_, i) => updateOps(sizes, ++position, i));
      await db.batch(ops, { sync: true });
      for (const reply of replies) {
        reply.writeHead(201, { 'content-type': 'application/json', 'content-length': bytes.length });
        reply.end(bytes);
      }
    }
    writing = false;
  };
  const server = createServer((request, reply) => {
    request.resume().once('end', () => {
      waiting.push(reply);
      if (!writing) write();
    });
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.once('disconnect', () => process.exit());
