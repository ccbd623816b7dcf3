import type { ConsolePing } from '../kit/contract.ts';

/** A line behind `*` is an ICMP error; VPCS before 0.8 does not say how many bytes came. */
const ANSWER = /^(?:\d+ bytes from )?[\da-fA-F.:]+ icmp6?_seq=\d+ ttl=/gm;

/** As VPCS and the embedded PC have it: a line for each request, and no summary. */
export const PC_PING: ConsolePing = {
  line: (to, { count, size, interval_ms }) =>
    [
      `ping ${to} -c ${count}`,
      ...(interval_ms === undefined ? [] : [`-i ${interval_ms}`]),
      ...(size === undefined ? [] : [`-l ${size}`]),
    ].join(' '),
  over: (count) => String.raw`icmp6?_seq=${count} |^No gateway found|^host \(.+\) not reachable`,
  answered: (text) => text.match(ANSWER)?.length ?? 0,
};
