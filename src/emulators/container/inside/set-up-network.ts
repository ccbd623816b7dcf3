import { messageOf } from '../../../common/errors.ts';
import type { KindNode } from '../../kit/contract.ts';
import { runFed } from '../../shared/network/ip.ts';
import type { Service } from '../service.ts';
import { runInside, TOLD } from './commands.ts';
import { readTree } from './files.ts';
import { BUSYBOX, findBusybox, READY_LENGTH } from './init.ts';
import { settingSteps } from './interfaces.ts';
import { NETWORK_DIRECTORY, quoted, type Step, stepsOf } from './interfaces-file.ts';

/** Milliseconds for everything that the file asks for. */
const SET_UP_MS = 60_000;

/** A container that runs, whose first program waits. */
interface Waiting {
  service: Service;
  id: string;
  /** Its first process. */
  pid: number;
}

/**
 * Gives a container that has its interfaces their addresses, by the node's settings and by `/etc/network/interfaces`, and lets its first
 * program go. Resolves with a sentence for each step that fails.
 */
export const setUpNetwork = async (node: KindNode, waiting: Waiting, signal: AbortSignal): Promise<string[]> => {
  if (node.ports.length === 0) return [];
  const told: string[] = [];
  const files = await readTree(waiting.service, waiting.id, NETWORK_DIRECTORY).catch((error: unknown) => {
    told.push(`${NETWORK_DIRECTORY} cannot be read: ${messageOf(error)}`);
    return new Map<string, string>();
  });
  const within = AbortSignal.any([signal, AbortSignal.timeout(SET_UP_MS)]);
  for (const group of grouped([...settingSteps(node), ...stepsOf(files), GO])) {
    signal.throwIfAborted();
    told.push(...(await carryOut(group, waiting, within)));
  }
  signal.throwIfAborted();
  return told.map((sentence) => `interfaces: ${sentence}`);
};

/** Sign that the first program waits for. */
const GO: Step = { do: 'ip', line: `link set dev lo txqueuelen ${READY_LENGTH}` };

type Group = { do: 'ip'; lines: string[] } | { do: 'run'; lines: string[] } | { do: 'tell'; line: string };

/** One call each for neighbours of the same sort. */
const grouped = (steps: readonly Step[]): Group[] => {
  const groups: Group[] = [];
  for (const step of steps) {
    if (step.do === 'tell') {
      groups.push(step);
      continue;
    }
    const [to, line] = step.do === 'ip' ? (['ip', step.line] as const) : (['run', scriptOf(step)] as const);
    const last = groups.at(-1);
    if (last?.do === to) last.lines.push(line);
    else groups.push({ do: to, lines: [line] });
  }
  return groups;
};

const carryOut = async (group: Group, { service, id, pid }: Waiting, signal: AbortSignal): Promise<string[]> => {
  if (group.do === 'tell') return [group.line];
  if (group.do === 'ip') return ipInside(pid, group.lines);
  // Shells look for programs of the image first.
  const script = `[ -x /bin/sh ] && exec /bin/sh -c "$1"; exec ${BUSYBOX} sh -c "$1"`;
  const shell = (await findBusybox()) === null ? ['/bin/sh', '-c'] : [BUSYBOX, 'sh', '-c', script, 'topolog'];
  const said = await runInside(
    service,
    id,
    { words: [...shell, `${PRELUDE}${group.lines.join('\n')}`], user: '0' },
    signal,
  );
  if (said.failed !== undefined) return [said.failed];
  return said.output
    .slice(-TOLD)
    .split('\n')
    .filter((line) => line !== '');
};

/** All of them, whatever becomes of one. */
const ipInside = async (pid: number, lines: readonly string[]): Promise<string[]> => {
  try {
    await runFed(
      'nsenter',
      ['--target', `${pid}`, '--net', 'ip', '-force', '-batch', '-'],
      `${lines.join('\n')}\n`,
      'ip',
    );
    return [];
  } catch (error) {
    const said = messageOf(error);
    const failed = said.split(/^Command failed -:(\d+)\n?/m);
    if (failed.length < 3) return [said];
    return failed.flatMap((text, at) =>
      at % 2 === 1
        ? [`ip ${lines[Number(text) - 1] ?? ''}: ${(failed[at - 1] ?? '').replace(/^ip: /, '').trim()}`]
        : [],
    );
  }
};

/**
 * Tools that an image lacks are those of busybox. What hooks say goes to the console of the container: one that stays in the background
 * must not keep the end of this open.
 */
const PRELUDE = `PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin; out=/dev/null
(: > /dev/console) 2> /dev/null && out=/dev/console
if [ -x ${BUSYBOX} ]; then for a in ip ifconfig route vconfig brctl udhcpc hostname sysctl ping grep sed sleep cat; do
  command -v $a > /dev/null || eval "$a() { ${BUSYBOX} $a \"\$@\"; }"
done; fi
dhcp() {
  for s in /usr/share/udhcpc/default.script /etc/udhcpc/default.script; do
    if [ -x $s ]; then udhcpc -b -t 3 -T 2 -i $1 -s $s; return; fi
  done
  if command -v dhclient > /dev/null; then dhclient -nw $1; return; fi
  if command -v dhcpcd > /dev/null; then dhcpcd -b $1; return; fi
  ${BUSYBOX} sh -c 'cat > /.topolog/udhcpc && chmod 755 /.topolog/udhcpc' << 'END'
#!${BUSYBOX} sh
case $1 in
deconfig) ip addr flush dev $interface; ip link set $interface up ;;
bound|renew)
  ip addr replace $ip/$mask dev $interface
  for r in $router; do ip route replace default via $r dev $interface; break; done
  [ -z "$dns" ] || for d in $dns; do echo nameserver $d; done > /etc/resolv.conf ;;
esac
END
  ${BUSYBOX} udhcpc -b -t 3 -T 2 -i $1 -s /.topolog/udhcpc
}
`;

/** A line of the script that says when it fails. */
const scriptOf = (step: Extract<Step, { do: 'hook' | 'dhcp' }>): string => {
  const [line, name, environment] =
    step.do === 'dhcp'
      ? [`dhcp ${step.name}`, `${step.name}: DHCP`, {}]
      : [step.line, `${step.environment['IFACE'] ?? ''}: ${step.phase} ${step.line}`, step.environment];
  const given = Object.entries(environment).map(([key, value]) => `${key}=${quoted(value)}`);
  const exported = given.length === 0 ? '' : `export ${given.join(' ')}; `;
  return `( ${exported}eval ${quoted(line)} ) < /dev/null > $out 2>&1 || echo ${quoted(name)} ended with code $?`;
};
