import type { ConsolePing } from '../kit/contract.ts';

/** Ping of busybox and iputils: `20 packets transmitted, 19 received, +1 errors, 5% packet loss`. */
export const LINUX_PING: ConsolePing = {
  prompt: /[#$%] $/,
  line: (to, { count, size, interval_ms }) =>
    [
      `ping -c ${count} -W 1`,
      ...(interval_ms === undefined ? [] : [`-i ${interval_ms / 1000}`]),
      ...(size === undefined ? [] : [`-s ${size}`]),
      to,
    ].join(' '),
  over: () => String.raw`^\d+ packets transmitted|Network is unreachable|No route to host`,
  answered: (text) => Number(/^\d+ packets transmitted, (\d+) (?:packets )?received/m.exec(text)?.[1] ?? 0),
};
