import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fakeConsole, type FakeConsole } from './dynamips-console.ts';
import { answerOf } from './dynamips-host.ts';
import type { Nio, Nios } from './dynamips-nios.ts';
import { atoi, type Handler, Refusal } from './dynamips-replies.ts';

export interface FakeVm {
  name: string;
  id: number;
  platform: string;
  /** 0 halted, 1 shutting down, 2 running, 3 suspended. */
  status: 0 | 1 | 2 | 3;
  mac: Buffer;
  sensors: number[];
  supplies: number[];
  /** Main card of each slot, and cards in the board of slot 0 by their place (16, 32, 48). */
  slots: Map<number, string>;
  wics: Map<number, string>;
  /** By `slot/port`. */
  nios: Map<string, Nio>;
  set: Map<string, string>;
  consoles: FakeConsole[];
  /** Configuration that it runs with. */
  running: string;
}

export interface Vms {
  module: Record<string, Handler>;
  find(name: string): FakeVm | undefined;
  all(): FakeVm[];
  reset(): void;
}

export interface World {
  nios: Nios;
  /** Where consoles listen. */
  consoles: string;
  /** Megabytes. */
  memory: () => number;
}

const PLATFORMS = ['c1700', 'c2600', 'c2691', 'c3600', 'c3725', 'c3745', 'c7200'];
const BOARDS: Record<string, string> = {
  ...{ c2691: 'GT96100-FE', c3725: 'GT96100-FE', c3745: 'GT96100-FE' },
  ...{ c2600: 'CISCO2600-MB-1E', c1700: 'C1700-MB-1ETH' },
};
/** Of each slot of a platform: 2600s have one more, 7200s six. */
const SLOTS: Record<string, number> = { c1700: 1, c2600: 2, c2691: 2, c3600: 7, c3725: 3, c3745: 5, c7200: 7 };
const CARD =
  /^(NM-(1E|4E|1FE-TX|16ESW|4T)|PA-(FE-TX|2FE-TX|4E|8E|GE|4T\+|8T|A1|POS-OC3)|C7200-IO-(FE|2FE|GE-E)|CISCO2600-MB-[12]F?E|GT96100-FE|Leopard-2FE)$/;
const WIC = /^WIC-(1T|2T|1ENET)$/;

interface Nvram {
  startup: string;
  private: string;
}

export const fakeVms = ({ nios, consoles, memory }: World): Vms => {
  const all = new Map<string, FakeVm>();
  const known = (name = ''): FakeVm => {
    const vm = all.get(name);
    if (vm === undefined) throw new Refusal(208, `unable to find object '${name}'`);
    return vm;
  };
  const file = (vm: FakeVm, name: string): string => `${vm.platform}_i${vm.id}_${name}`;
  const nvramOf = (vm: FakeVm): string => file(vm, ['c2691', 'c3725', 'c3745'].includes(vm.platform) ? 'rom' : 'nvram');
  const readNvram = (vm: FakeVm): Nvram | null =>
    existsSync(nvramOf(vm)) ? (JSON.parse(readFileSync(nvramOf(vm), 'utf8')) as Nvram) : null;
  const writeNvram = (vm: FakeVm, changes: Partial<Nvram>): void =>
    writeFileSync(nvramOf(vm), JSON.stringify({ startup: '', private: '', ...readNvram(vm), ...changes }));

  const on = (count: number, run: (vm: FakeVm, args: string[]) => unknown, most = count): Handler => ({
    least: count,
    most,
    run: ([name, ...args]) => run(known(name), args),
  });
  const setting = (name: string): Handler => on(2, (vm, [value = '']) => void vm.set.set(name, value));
  /** Of a processor, which is there from the first start on. */
  const ofCpu = (count: number, run: (vm: FakeVm, value: string) => void): Handler =>
    on(count, (vm, [cpu, value = '']) => {
      if (vm.status === 0 || cpu !== '0') throw new Refusal(212, 'Bad CPU specified');
      run(vm, value);
    });

  const create = (name: string, id: number, platform: string): FakeVm => {
    const vm: FakeVm = {
      ...{ name, id, platform, status: 0, mac: Buffer.from('ca0100000000', 'hex'), sensors: [], supplies: [] },
      ...{ slots: new Map(), wics: new Map(), nios: new Map(), set: new Map(), consoles: [], running: '' },
    };
    const board = BOARDS[platform];
    if (board !== undefined) vm.slots.set(0, board);
    writeFileSync(file(vm, 'lock'), `${process.pid}\n`);
    return vm;
  };

  const failed = (vm: FakeVm, why: string): never => {
    throw new Refusal(
      209,
      `unable to start VM instance '${vm.name}'`,
      `${vm.platform.toUpperCase()} '${vm.name}': ${why}`,
    );
  };
  const checkStart = (vm: FakeVm): void => {
    const image = vm.set.get('ios');
    if (vm.status !== 0) failed(vm, 'it is running already.');
    if (image === undefined) return failed(vm, 'no Cisco IOS image defined.');
    if (!existsSync(image)) failed(vm, `unable to open '${image}': No such file or directory`);
    if (!readFileSync(image).subarray(0, 4).equals(Buffer.from('\x7fELF', 'latin1'))) failed(vm, 'not an ELF file.');
    if (atoi(vm.set.get('ram')) > memory()) failed(vm, 'unable to create RAM: Cannot allocate memory');
    if (vm.platform === 'c7200' && !vm.slots.has(0)) failed(vm, 'an I/O card is required in slot 0.');
  };
  const start = (vm: FakeVm): void => {
    checkStart(vm);
    if (vm.set.get('ram_mmap') === '1') writeFileSync(file(vm, 'ram'), '');
    for (const [n, size] of ['disk0', 'disk1'].entries())
      if (atoi(vm.set.get(size)) > 0) writeFileSync(file(vm, `disk${n}`), '');
    vm.running = Buffer.from(readNvram(vm)?.startup ?? '', 'base64').toString('utf8');
    for (const [key, title] of [
      ['con_tcp_port', 'Console port'],
      ['aux_tcp_port', 'AUX port'],
    ] as const) {
      const port = vm.set.get(key);
      if (port === undefined) continue;
      const save = (text: string): void => writeNvram(vm, { startup: Buffer.from(text).toString('base64') });
      vm.consoles.push(fakeConsole(vm, title, { host: consoles, port: atoi(port), save }));
    }
    vm.status = 2;
  };
  const halt = (vm: FakeVm): void => {
    vm.status = 0;
    for (const console of vm.consoles.splice(0)) console.close();
  };
  const end = (vm: FakeVm): void => {
    halt(vm);
    for (const nio of vm.nios.values()) nio.users--;
    rmSync(file(vm, 'lock'), { force: true });
    all.delete(vm.name);
  };

  const wicPlace = (vm: FakeVm, place: number): boolean =>
    vm.platform !== 'c7200' && vm.platform !== 'c3600' && place % 16 === 0;
  const addCard = (vm: FakeVm, [slot, port, card = '']: string[]): void => {
    const [n, place] = [atoi(slot), atoi(port)];
    const refuse = (why: string): never => {
      throw new Refusal(205, `VM ${vm.name}: unable to add binding for slot ${n}/${place}`, `'${vm.name}': ${why}`);
    };
    if (place === 0) {
      const there = vm.slots.get(n);
      if (there !== undefined) refuse(`a card already exists in slot ${n}/0 (${there})`);
      if (n >= (SLOTS[vm.platform] ?? 0) || !CARD.test(card)) refuse(`unknown card type '${card}' for slot ${n}/0.`);
      vm.slots.set(n, card);
      return;
    }
    if (!vm.slots.has(n) || n !== 0 || !wicPlace(vm, place)) refuse(`no sub-slot possible for slot ${n}/${place}.`);
    if (vm.wics.has(place) || !WIC.test(card)) refuse(`unknown card type '${card}' for slot ${n}/${place}.`);
    vm.wics.set(place, card);
  };
  const bindNio = (vm: FakeVm, [slot, port, name = '']: string[]): void => {
    const [n, at] = [atoi(slot), atoi(port)];
    const refuse = (why: string): never => {
      throw new Refusal(205, `VM ${vm.name}: unable to add binding for slot ${n}/${at}`, `'${vm.name}': ${why}`);
    };
    if (!vm.slots.has(n) || (at >= 16 && !vm.wics.has(at - (at % 16)))) refuse('no card there');
    const nio = nios.find(name) ?? refuse(`unable to find NIO '${name}'.`);
    if (vm.nios.has(`${n}/${at}`)) refuse(`a NIO already exists for interface ${n}/${at}.`);
    vm.nios.set(`${n}/${at}`, nio);
    nio.users++;
    nio.receive = (frame) => {
      const answer = vm.status === 2 ? answerOf(frame, vm.mac, vm.running) : null;
      if (answer !== null) nio.send(answer);
    };
  };

  const module: Record<string, Handler> = {
    create: {
      least: 3,
      most: 3,
      run: ([name = '', id, platform = '']) => {
        const same = [...all.values()].some((vm) => vm.id === atoi(id));
        if (all.has(name) || same || !PLATFORMS.includes(platform))
          throw new Refusal(206, `unable to create VM instance '${name}'`);
        all.set(name, create(name, atoi(id), platform));
        return `VM '${name}' created`;
      },
    },
    rename: on(2, (vm, [name = '']) => {
      const before = vm.name;
      if (vm.status !== 0) throw new Refusal(213, `unable to rename VM instance '${before}'`);
      if (all.has(name)) throw new Refusal(213, `unable to rename VM instance '${before}', '${name}' already exists`);
      all.delete(before);
      vm.name = name;
      all.set(name, vm);
      return `VM '${before}' renamed to '${name}'`;
    }),
    delete: on(1, (vm) => (end(vm), `VM '${vm.name}' deleted`)),
    start: {
      least: 1,
      most: 1,
      run: ([name], tell) => {
        const vm = known(name);
        if (!vm.set.has('con_tcp_port')) tell(`Warning: no console port defined for VM '${vm.name}'`);
        start(vm);
        return `VM '${vm.name}' started`;
      },
    },
    stop: on(1, (vm) => {
      halt(vm);
      return `VM '${vm.name}' stopped`;
    }),
    suspend: on(1, (vm) => {
      if (vm.status === 2) vm.status = 3;
      return `VM '${vm.name}' suspended`;
    }),
    resume: on(1, (vm) => {
      if (vm.status === 3) vm.status = 2;
      return `VM '${vm.name}' resumed`;
    }),
    get_status: on(1, (vm) => `${vm.status}`),
    set_ios: on(2, (vm, [image = '']) => {
      vm.set.set('ios', image);
      return `IOS image set for '${vm.name}'`;
    }),
    push_config: on(
      2,
      (vm, [startup = '', own = '(keep)']) => {
        const changes = { ...(startup === '(keep)' ? {} : { startup }), ...(own === '(keep)' ? {} : { private: own }) };
        writeNvram(vm, changes);
        return `IOS config file pushed tm VM '${vm.name}'`;
      },
      3,
    ),
    extract_config: on(1, (vm) => {
      const nvram = readNvram(vm);
      if (nvram === null) throw new Refusal(206, `unable to extract config of VM '${vm.name}'`);
      return `conf '${vm.name}' '${nvram.startup}' '${nvram.private}'`;
    }),
    ...Object.fromEntries(
      [
        'ram',
        'nvram',
        'ram_mmap',
        'sparse_mem',
        'clock_divisor',
        'exec_area',
        'disk0',
        'disk1',
        'idle_pc',
        'con_tcp_port',
        'aux_tcp_port',
      ].map((name) => [`set_${name}`, setting(name)]),
    ),
    set_idle_pc_online: ofCpu(3, (vm, value) => void vm.set.set('idle_pc_online', value)),
    set_idle_max: ofCpu(3, (vm, value) => void vm.set.set('idle_max', value)),
    set_idle_sleep_time: ofCpu(3, (vm, value) => void vm.set.set('idle_sleep_time', value)),
    get_idle_pc_prop: {
      least: 2,
      most: 2,
      run: ([name], tell) => {
        if (known(name).set.get('idle_pc_online') !== '0x0') return;
        ['0x60aa1da0 [23]', '0x60aa2f00 [57]', '0x60aa3000 [88]'].forEach(tell);
      },
    },
    slot_bindings: {
      least: 1,
      most: 1,
      run: ([name], tell) => [...known(name).slots].forEach(([slot, card]) => tell(`${slot}/0: ${card}`)),
    },
    slot_add_binding: on(4, addCard),
    slot_remove_binding: on(3, (vm, [slot, port]) => {
      if (port !== '0' || vm.wics.size > 0 || !vm.slots.delete(atoi(slot)))
        throw new Refusal(205, `VM ${vm.name}: unable to remove binding for slot ${atoi(slot)}/${atoi(port)}`);
    }),
    slot_add_nio_binding: on(4, bindNio),
    list: { least: 0, most: 0, run: (_, tell) => all.forEach((vm) => tell(`${vm.name} (${vm.platform})`)) },
    list_con_ports: {
      least: 0,
      most: 0,
      run: (_, tell) =>
        all.forEach((vm) => {
          const port = vm.set.get('con_tcp_port');
          if (port !== undefined) tell(`${vm.name} (${port})`);
        }),
    },
  };
  return { module, find: (name) => all.get(name), all: () => [...all.values()], reset: () => all.forEach(end) };
};
