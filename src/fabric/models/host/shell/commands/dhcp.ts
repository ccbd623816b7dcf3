import type { Lease } from '../../ip-host.ts';
import type { PcCommand, PcContext } from '../command.ts';

export const dhcpCommand: PcCommand = {
  name: 'dhcp',
  usage: '[-options]',
  summary: 'Shortcut for: ip dhcp. Take the address from a DHCP server',
  help: `
dhcp [-options], ip dhcp [-options]
  Takes address, mask, gateway and DNS servers from a DHCP server.
  D, O, R and A are shown as discover, offer, request and acknowledgement pass.
    -d   Shows what the lease holds
    -r   Renews the lease
    -x   Releases the lease
`,
  run: runDhcp,
};

export async function runDhcp(context: PcContext, args: readonly string[]): Promise<void> {
  if (args.some((arg) => !['-d', '-r', '-x'].includes(arg))) {
    context.print(dhcpCommand.help);
    return;
  }
  const actions = args.filter((arg) => arg !== '-d');
  const details = args.includes('-d');
  // `-x -r` and `-r -x` do both, in the order typed.
  for (const action of actions.length === 0 ? ['new'] : actions) {
    if (context.signal.aborted) return;
    if (action === '-x') release(context);
    else report(context, action === '-r' ? await renew(context) : await obtain(context), details);
  }
}

function release(context: PcContext): void {
  context.host.release();
  context.settings.dynamic = false;
}

async function obtain(context: PcContext): Promise<Lease | string> {
  context.settings.dynamic = true;
  const lease = await context.host.dhcp((letter) => context.print(letter), context.signal);
  return lease ?? "Can't find dhcp server";
}

/** Renews the lease, or gets a new one when there is none. */
async function renew(context: PcContext): Promise<Lease | string> {
  if (context.host.lease === null) return obtain(context);
  context.print('R');
  const lease = await context.host.renew(context.signal);
  if (lease === null) return "Can't get ip address from dhcp server";
  context.print('A');
  return lease;
}

function report(context: PcContext, outcome: Lease | string, details: boolean): void {
  if (typeof outcome === 'string') {
    context.print(`\n${outcome}\n`);
    return;
  }
  const { address, prefix, gateway } = outcome;
  context.print(` IP ${address}/${prefix}${gateway === null ? '' : ` GW ${gateway}`}\n`);
  if (details) context.print(describe(outcome));
}

function describe(lease: Lease): string {
  const lines = [`Server ${lease.server}`, `Lease time ${lease.seconds} s`, `DNS ${lease.dns.join(' ') || 'none'}`];
  if (lease.domain !== null) lines.push(`Domain ${lease.domain}`);
  return lines.map((line) => `  ${line}\n`).join('');
}
