import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { KindOperation } from '../kit/contract.ts';
import { listOf, word } from '../kit/fields.ts';
import { programVersion } from '../shared/process/program-version.ts';
import { kvmWorks } from './machine/accelerator.ts';
import { QEMU_VERSION } from './programs.ts';

const program = z.strictObject({ path: z.string(), version: z.string() });

/** `qemu-system-x86_64`, `qemu-system-x86_64w.exe`; `qemu-kvm` of some distributions is that of their own processor. */
const SYSTEM = /^qemu-(?:system-(\w+?)(?:w?\.exe)?|kvm)$/;
const IMG = /^qemu-img(?:\.exe)?$/;

/** Programs of the PATH with their versions, those of the first folders first; each real path once. */
const programs = async (wanted: (name: string) => boolean): Promise<z.output<typeof program>[]> => {
  const found = new Map<string, string>();
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter).filter((f) => f !== ''))
    for (const name of (await readdir(folder).catch(() => [])).sort())
      if (wanted(name) && !found.has(name)) found.set(name, path.join(folder, name));
  const versions = await Promise.all([...found.values()].map((file) => programVersion(file, QEMU_VERSION)));
  return [...found.values()].flatMap((file, i) => {
    const version = versions[i];
    return version == null ? [] : [{ path: file, version }];
  });
};

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'x86_64', ia32: 'i386', arm64: 'aarch64', arm: 'arm' };

const binaries: KindOperation = {
  method: 'GET',
  path: 'binaries',
  summary: 'The QEMU programs of this machine; `archs` asks for some architectures only',
  code: 200,
  body: z.strictObject({ archs: listOf(word).exactOptional() }),
  output: z.array(program),
  run: (args) => {
    const archs = args['archs'] as string[] | undefined;
    return programs((name) => {
      const match = SYSTEM.exec(name);
      if (match === null) return false;
      return archs === undefined || archs.includes(match[1] ?? ARCHITECTURES[process.arch] ?? process.arch);
    });
  },
};

const imgBinaries: KindOperation = {
  method: 'GET',
  path: 'img-binaries',
  summary: 'The qemu-img programs of this machine',
  code: 200,
  output: z.array(program),
  run: () => programs((name) => IMG.test(name)),
};

const capabilities: KindOperation = {
  method: 'GET',
  path: 'capabilities',
  summary: 'Architectures that KVM runs here',
  code: 200,
  output: z.strictObject({ kvm: z.array(z.string()) }),
  run: async () => {
    const all = ['x86_64', 'i386', 'aarch64'];
    const usable = await Promise.all(all.map((arch) => kvmWorks(arch)));
    return { kvm: all.filter((_, i) => usable[i] === true) };
  },
};

export const hostOperations: readonly KindOperation[] = [binaries, imgBinaries, capabilities];
