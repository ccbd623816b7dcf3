import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { type Attack, count, type Figures, send } from './attack.ts';

const QEMU_IMG = '/usr/bin/qemu-img';

/** Images whose headers name other files: on the network, of the host, pipes, themselves. Nobody may follow them. */
export const images = async (attack: Attack): Promise<Figures> => {
  const figures: Figures = { images: 0, 'with qemu-img': 0 };
  const { server, random } = attack;
  let connections = 0;
  const trap = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  const address = trap.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const folder = path.join(server.dataDir, 'images', 'QEMU');
  await mkdir(folder, { recursive: true });
  const pipe = path.join(folder, 'pipe');
  if (!existsSync(pipe)) execFileSync('mkfifo', [pipe]);
  const program = path.join(path.dirname(server.dataDir), 'empty', 'qemu-img');
  if (existsSync(QEMU_IMG) && !existsSync(program)) await symlink(QEMU_IMG, program);
  try {
    while (!attack.isOver()) {
      const name = `attack-${String(random.below(50))}.img`;
      const backing = random.pick([
        ...[
          `http://127.0.0.1:${port}/x`,
          `nbd://127.0.0.1:${port}/x`,
          `ssh://127.0.0.1:${port}/x`,
          `nbd:127.0.0.1:${port}`,
        ],
        ...[
          `json:{"driver":"nbd","host":"127.0.0.1","port":"${port}"}`,
          '/etc/passwd',
          '/etc/shadow',
          pipe,
          name,
          './pipe',
          '/dev/zero',
          'fat:/etc',
        ],
      ]);
      const file = (random.pick([qcow2, vmdk, vdi, raw]) ?? qcow2)(
        backing ?? '',
        random.below(2) === 0 ? 'raw' : 'qcow2',
      );
      await writeFile(path.join(folder, name), file);
      const body = Buffer.from(JSON.stringify({ qemu_img: QEMU_IMG, path: name, extend: 1 }));
      const from = performance.now();
      const reply = await send(attack, 'PUT', '/v2/compute/machine_emulator/img', body);
      figures['images'] = (figures['images'] ?? 0) + 1;
      if (existsSync(program)) figures['with qemu-img'] = (figures['with qemu-img'] ?? 0) + 1;
      count(figures, reply);
      const took = performance.now() - from;
      if (took > 30_000) attack.blame(`an image that is backed by ${backing ?? ''} took ${Math.round(took)} ms`);
      if (connections > 0) {
        attack.blame(`${backing ?? ''}: the network was asked`);
        connections = 0;
      }
    }
  } finally {
    trap.close();
    await rm(pipe, { force: true });
    await rm(program, { force: true });
  }
  return figures;
};

/** Version 2 of the format, with the name of a backing file and what it is. */
const qcow2 = (backing: string, format: string): Buffer => {
  const header = Buffer.alloc(65_536 * 4);
  const name = Buffer.from(backing);
  const extension = Buffer.alloc(16);
  extension.writeUInt32BE(0xe2792aca, 0);
  extension.writeUInt32BE(format.length, 4);
  extension.write(format, 8);
  header.write('QFI\xfb', 0, 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeBigUInt64BE(BigInt(112), 8);
  header.writeUInt32BE(name.length, 16);
  header.writeUInt32BE(16, 20);
  header.writeBigUInt64BE(BigInt(1 << 20), 24);
  header.writeUInt32BE(1, 36);
  header.writeBigUInt64BE(BigInt(65_536), 40);
  header.writeBigUInt64BE(BigInt(131_072), 48);
  header.writeUInt32BE(1, 56);
  extension.copy(header, 72);
  name.copy(header, 112);
  return header;
};

const vmdk = (backing: string): Buffer =>
  Buffer.from(
    `# Disk DescriptorFile\nversion=1\nCID=fffffffe\nparentCID=ffffffff\ncreateType="monolithicFlat"\nRW 2048 FLAT "${backing}" 0\n`,
  );

const vdi = (): Buffer => {
  const header = Buffer.alloc(1024, 0xff);
  header.write('<<< Oracle VM VirtualBox Disk Image >>>\n', 0);
  header.writeUInt32LE(0xbeda107f, 0x40);
  return header;
};

const raw = (backing: string): Buffer => Buffer.from(backing.padEnd(2048, '\0'));
