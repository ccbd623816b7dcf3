import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from './wait-for.ts';

const EXAMPLE = path.resolve('examples/running/nginx');
/** As the example has it. */
export const NAME = 'lab.example.org';

export interface Proxy {
  /** Of plain HTTP, and of TLS. */
  ports: [number, number];
  /** That its certificate is signed with: its own. */
  ca: string;
  close(): Promise<void>;
}

/** nginx with the configuration of the examples at free ports, in front of servers at these ports. `upstream`: file of the example. */
export const startNginx = async (
  directory: string,
  { ports, upstream, servers }: { ports: [number, number]; upstream: string; servers: readonly number[] },
): Promise<Proxy> => {
  const [key, certificate] = ['key.pem', 'cert.pem'].map((name) => path.join(directory, name)) as [string, string];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`, '-keyout', key, '-out', certificate],
  ]);
  const server = (await readFile(path.join(EXAMPLE, 'topolog.conf'), 'utf8'))
    .replace(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${ports[0]};`)
    .replace('listen 443 ', `listen 127.0.0.1:${ports[1]} `)
    .replace(/\/etc\/letsencrypt\/\S+fullchain.pem/, certificate)
    .replace(/\/etc\/letsencrypt\/\S+privkey.pem/, key);
  let next = 0;
  const behind = (await readFile(path.join(EXAMPLE, upstream), 'utf8')).replace(
    /server [\w.]+:3080/g,
    () => `server 127.0.0.1:${servers[next++] ?? 0}`,
  );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `${what}_temp_path temp/${what};`,
  );
  await mkdir(path.join(directory, 'temp'), { recursive: true });
  await writeFile(
    path.join(directory, 'nginx.conf'),
    [
      'daemon off;',
      'master_process off;',
      'pid nginx.pid;',
      'error_log stderr warn;',
      'events {}',
      'http {',
      'access_log off;',
    ]
      .concat(temporary, behind, server, '}\n')
      .join('\n'),
  );
  const child = spawn('nginx', ['-p', directory, '-e', 'stderr', '-c', 'nginx.conf'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await listens(child, ports[1]);
  return {
    ports,
    ca: await readFile(certificate, 'utf8'),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};

/** It says nothing when it does. */
const listens = async (child: ChildProcess, port: number): Promise<void> => {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await waitFor('nginx listens', async () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`nginx ended: ${said}`);
    const socket = connect(port, '127.0.0.1');
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isThere;
  });
};
