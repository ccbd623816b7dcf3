import { stringify } from 'yaml';
import type { Lab } from '../model.ts';
import { kindForms } from './lab.ts';

/** Nodes of a lab as programs reach them that configure nodes: by their addresses on the management network. */

interface Host {
  /** Kind of containerlab: a group of the inventory. */
  group: string;
  name: string;
  longName: string;
  /** Without prefix lengths, IPv4 first. */
  addresses: string[];
}

const hostsOf = (lab: Lab): { hosts: Host[]; notes: string[] } => {
  const forms = kindForms();
  const hosts = lab.nodes.flatMap(({ name, kind, properties }): Host[] => {
    const form = forms.find((one) => one.kind.name === kind || one.kind.alias === kind)?.form;
    if (form?.managed !== true) return [];
    const { longName = name, addresses } = form.node(properties);
    const own = (addresses['eth0'] ?? []).map((one) => one.replace(/\/.*/, ''));
    return own.length === 0 ? [] : [{ group: form.kinds[0] ?? kind ?? '', name, longName, addresses: own }];
  });
  const others = lab.nodes.length - hosts.length;
  const left = `${others} of ${lab.nodes.length} nodes have no address on a management network, and are left out`;
  return { hosts, notes: others === 0 ? [] : [left] };
};

/** An inventory of Ansible (https://docs.ansible.com/ansible/latest/inventory_guide) as containerlab writes it. */
export const writeInventory = (lab: Lab): { text: string; notes: string[] } => {
  const { hosts, notes } = hostsOf(lab);
  const children: Record<string, { hosts: Record<string, { ansible_host: string | undefined }> }> = {};
  for (const { group, longName, addresses } of hosts)
    (children[group] ??= { hosts: {} }).hosts[longName] = { ansible_host: addresses[0] };
  return { text: stringify({ all: { vars: { ansible_httpapi_use_proxy: false }, children } }), notes };
};

/** Lines for /etc/hosts (hosts(5)): each address with the long and the short name of its node. */
export const writeHosts = (lab: Lab): { text: string; notes: string[] } => {
  const { hosts, notes } = hostsOf(lab);
  const lines = hosts.flatMap(({ name, longName, addresses }) =>
    addresses.map((address) => [...new Set([address, longName, name])].join('\t')),
  );
  return { text: lines.map((line) => `${line}\n`).join(''), notes };
};
