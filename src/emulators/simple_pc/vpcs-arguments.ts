import { PORTS } from './vpcs-sandbox.ts';

/** Start parameters of a VPCS; its manual page and `vpcs -h` describe the options. */
export interface VpcsPlan {
  /** Last octet of its MAC address 00:50:79:66:68:xx. */
  mac: number;
  /** File in its working directory; null: none. */
  script: string | null;
}

/** `-m` takes no more. */
export const MOST_MAC = 240;

/** Options that a version has. */
export interface VpcsAbilities {
  /** `-F`: it does not go into the background; from 0.6 on. */
  foreground: boolean;
  /** `-R`: it does not relay frames for others; from 0.8 on. */
  noRelay: boolean;
}

export const vpcsArguments = (plan: VpcsPlan, { foreground, noRelay }: VpcsAbilities): string[] => [
  ...['-i', '1', '-m', `${plan.mac}`, '-p', `${PORTS.console}`],
  ...['-s', `${PORTS.own}`, '-c', `${PORTS.other}`, '-t', '127.0.0.1'],
  ...(foreground ? ['-F'] : []),
  ...(noRelay ? ['-R'] : []),
  ...(plan.script === null ? [] : [plan.script]),
];

/** The plan of a running VPCS, by its arguments; null when they are not ours. */
export const planOf = (argv: readonly string[]): VpcsPlan | null => {
  const valueOf = (option: string): number => {
    const at = argv.indexOf(option);
    return at < 0 ? Number.NaN : Number(argv[at + 1]);
  };
  const mac = valueOf('-m');
  const isOurs = valueOf('-p') === PORTS.console && valueOf('-s') === PORTS.own && valueOf('-c') === PORTS.other;
  if (!Number.isInteger(mac) || !isOurs) return null;
  const last = argv.at(-1) ?? '';
  const script = last.startsWith('-') || argv.at(-2) === '-t' ? null : last;
  return { mac, script };
};

/** `Welcome to Virtual PC Simulator, version 0.5b2`; null when that is not what it says. */
export const vpcsVersion = (output: string): string | null =>
  /Virtual PC Simulator, version (\d[\w.]*)/.exec(output)?.[1] ?? null;

/** 0.5b2 is a beta of 0.5: letters end a version's numbers. */
export const abilitiesOf = (version: string | null): VpcsAbilities => {
  const [, major = '0', minor = '0'] = /^(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  const number = Number(major) * 1000 + Number(minor);
  return { foreground: number >= 6, noRelay: number >= 8 };
};
