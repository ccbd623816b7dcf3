// The limit of a read: node's own http server that answers every request with the same head and bytes. Started as a process of
// its own, as the server is; told what to answer by its parent.
import { createServer } from 'node:http';

process.once('message', ({ headers, body }) => {
  const bytes = Buffer.from(body);
  const server = createServer((_request, answer) => {
    answer.writeHead(200, { ...headers, 'Content-Length': bytes.length });
    answer.end(bytes);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.once('disconnect', () => process.exit());
