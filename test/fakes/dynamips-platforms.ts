import { atoi, type Handler, type Modules, Refusal } from './dynamips-replies.ts';
import type { FakeVm, Vms } from './dynamips-vms.ts';

/** Modules `c7200` and so on: what each platform can be told. */
export const fakePlatforms = (vms: Vms): Modules => {
  const onVm = (platform: string, count: number, set: (vm: FakeVm, args: string[]) => unknown): Handler => ({
    least: count,
    most: count,
    run: ([name = '', ...args]) => {
      const vm = vms.find(name);
      if (vm === undefined) throw new Refusal(208, `unable to find VM '${name}'`);
      if (vm.platform !== platform) throw new Refusal(212, `VM '${name}' is not a VM type ${platform}`);
      return set(vm, args);
    },
  });
  const list = (platform: string): Handler => ({
    least: 0,
    most: 0,
    run: (_, tell) => vms.all().forEach((vm) => vm.platform === platform && tell(vm.name)),
  });
  const chassis = (platform: string, boards: Record<string, string | null>): Handler =>
    onVm(platform, 2, (vm, [type = '']) => {
      const board = boards[type];
      if (board === undefined || vm.status === 2)
        throw new Refusal(206, `unable to set Chassis type for router '${vm.name}'`);
      vm.slots.delete(0);
      if (board !== null) vm.slots.set(0, board);
    });
  const common = (platform: string): Record<string, Handler> => ({
    list: list(platform),
    set_mac_addr: onVm(platform, 2, (vm, [mac = '']) => {
      if (!/^([0-9a-f]{4}\.){2}[0-9a-f]{4}$/i.test(mac))
        throw new Refusal(206, `unable to set MAC address for router '${vm.name}'`);
      vm.mac = Buffer.from(mac.replaceAll('.', ''), 'hex');
    }),
  });
  const systemId = (platform: string): Record<string, Handler> => ({
    set_system_id: onVm(platform, 2, () => undefined),
  });
  const iomem = (platform: string): Record<string, Handler> => ({ set_iomem: onVm(platform, 2, () => undefined) });
  const oneOf = (what: string, values: string[]): Handler =>
    onVm('c7200', 2, (vm, [value = '']) => {
      if (!values.includes(value)) throw new Refusal(206, `unable to set ${what} type for router '${vm.name}'`);
    });
  const c3700 = (platform: string): Record<string, Handler> => ({ ...common(platform), ...iomem(platform) });
  return {
    c1700: {
      ...c3700('c1700'),
      ...systemId('c1700'),
      set_chassis: chassis('c1700', Object.fromEntries(C1700.map((type) => [type, 'C1700-MB-1ETH']))),
    },
    c2600: { ...c3700('c2600'), ...systemId('c2600'), set_chassis: chassis('c2600', C2600) },
    // The one that has no number of its system.
    c2691: c3700('c2691'),
    c3600: {
      ...c3700('c3600'),
      ...systemId('c3600'),
      set_chassis: chassis('c3600', { '3620': null, '3640': null, '3660': 'Leopard-2FE' }),
    },
    c3725: { ...c3700('c3725'), ...systemId('c3725') },
    c3745: { ...c3700('c3745'), ...systemId('c3745') },
    c7200: {
      ...common('c7200'),
      ...systemId('c7200'),
      set_npe: oneOf('NPE', ['npe-100', 'npe-150', 'npe-175', 'npe-200', 'npe-225', 'npe-300', 'npe-400', 'npe-g2']),
      set_midplane: oneOf('Midplane', ['std', 'vxr']),
      set_temp_sensor: onVm('c7200', 3, (vm, [n, degrees]) => void (vm.sensors[atoi(n)] = atoi(degrees))),
      set_power_supply: onVm('c7200', 3, (vm, [n, on]) => void (vm.supplies[atoi(n)] = atoi(on))),
    },
  };
};

const C1700 = ['1710', '1720', '1721', '1750', '1751', '1760'];
const C2600 = {
  '2610': 'CISCO2600-MB-1E',
  '2611': 'CISCO2600-MB-2E',
  '2620': 'CISCO2600-MB-1FE',
  '2621': 'CISCO2600-MB-2FE',
  '2610XM': 'CISCO2600-MB-1FE',
  '2611XM': 'CISCO2600-MB-2FE',
  '2620XM': 'CISCO2600-MB-1FE',
  '2621XM': 'CISCO2600-MB-2FE',
  '2650XM': 'CISCO2600-MB-1FE',
  '2651XM': 'CISCO2600-MB-2FE',
};
