import { type ClabMap, textOf, type Value } from './values.ts';

/**
 * Network systems that containerlab has kinds for (names of its schema, and short names). Here a template replaces
 * each, named in a file beside the lab's text.
 */

/** Name of that file, e.g. `arista_ceos: vEOS 4.28`: kind of containerlab, and name of a template here. */
export const SYSTEMS_FILE = 'clab-templates.yml';

const NAMES = [
  'k8s-kind',
  'ext-container',
  'generic_vm',
  'freebsd',
  'openbsd',
  'openwrt',
  'rare',
  'sonic-vs',
  'sonic-vm',
  'dell_sonic',
  'plvision_sonic',
  'fdio_vpp',
  'ostinato',
  'border0',
  '6wind_vsr',
  'arista_ceos',
  'arista_veos',
  'arrcus_arcos',
  'aruba_aoscx',
  'checkpoint_cloudguard',
  'ciena_saos',
  'cisco_asav',
  'cisco_c8000',
  'cisco_c8000v',
  'cisco_cat9kv',
  'cisco_csr1000v',
  'cisco_ftdv',
  'cisco_iol',
  'cisco_n9kv',
  'cisco_sdwan',
  'cisco_vios',
  'cisco_xrd',
  'cisco_xrd_vrouter',
  'cisco_xrv',
  'cisco_xrv9k',
  'dell_ftosv',
  'f5_bigip-ve',
  'fortinet_fortigate',
  'huawei_vrp',
  'ipinfusion_ocnos',
  'juniper_cjunosevolved',
  'juniper_crpd',
  'juniper_csrx',
  'juniper_vjunosevolved',
  'juniper_vjunosrouter',
  'juniper_vjunosswitch',
  'juniper_vmx',
  'juniper_vqfx',
  'juniper_vsrx',
  'keysight_ixia-c-one',
  'mikrotik_ros',
  'nokia_srlinux',
  'nokia_srsim',
  'nokia_sros',
  'nvidia_cumulusvx',
  'paloalto_panos',
  'spirent_stc',
  'veesix_osvbng',
  'vyosnetworks_vyos',
  'srl',
  'ceos',
  'crpd',
  'cvx',
  'cumulus_cvx',
  'c8000',
  'xrd',
  'cjunosevolved',
];

export const isSystem = (kind: string): boolean => NAMES.includes(kind) || kind.startsWith('vr-');

/** Patterns of interface names, and the index of the port; the first port is for management. */
const PORTS: readonly [RegExp, (...numbers: number[]) => number][] = [
  [/^(?:eth|et|Ethernet)(\d+)$/i, (n) => n],
  [/^e1-(\d+)$/, (n) => n],
  [/^ethernet-1\/(\d+)$/, (n) => n],
  [/^1\/1\/(\d+)$/, (n) => n],
  [/^(?:ge|xe|et)-0\/0\/(\d+)$/, (n) => n + 1],
  [/^(?:Ethernet|Et)1\/(\d+)$/, (n) => n],
  [/^(?:Ethernet|e)(\d+)\/(\d+)$/, (slot, port = 0) => 4 * slot + port],
  [/^(?:GigabitEthernet|Gi)(?:0\/0\/0\/|0\/)(\d+)$/, (n) => n + 1],
  [/^(?:GigabitEthernet|Gi)1\/0\/(\d+)$/, (n) => n],
  [/^(?:GigabitEthernet|Gi)(\d+)$/, (n) => Math.max(1, n - 1)],
  [/^(?:port|ether|swp|vtnet|vio)(\d+)$/, (n) => n],
];

/** Index of an interface among its node's ports, from 0; null: unknown name. */
export const placeOfInterface = (name: string): number | null => {
  for (const [pattern, place] of PORTS) {
    const found = pattern.exec(name);
    if (found !== null) return place(...found.slice(1).map(Number));
  }
  return null;
};

/** Templates by kind of containerlab. */
export const templatesOf = (value: Value | undefined): ClabMap => {
  const given = typeof value === 'object' && !Array.isArray(value) ? value : {};
  return Object.fromEntries(Object.entries(given).filter(([, template]) => textOf(template) !== ''));
};
