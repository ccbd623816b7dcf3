// The least that a durable update over HTTP can cost: node's own http server that reads a body, puts the bytes of one update into
// LevelDB with an fsync, and answers. Started as a process of its own, as the server is; told where and how much by its parent.
import { createServer } from 'node:http';
import { Level } from 'level';
import { updateOps } from './update-ops.mjs';

process.once('message', async ({ place, sizes, answer }) => {
  const db = new Level(place);
  await db.open();
  const bytes = Buffer.from(answer);
  let position = 0;
  const server = createServer((request, reply) => {
    request.resume().once('end', async () => {
      await db.batch(updateOps(sizes, ++position, 0), { sync: true });
      reply.writeHead(201, { 'content-type': 'application/json', 'content-length': bytes.length });
      reply.end(bytes);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.once('disconnect', () => process.exit());
