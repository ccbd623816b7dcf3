import { open } from 'node:fs/promises';
import { which } from '../../shared/process/find-program.ts';
import type { Image } from '../images.ts';
import type { FirstProgram, Mount, Settings } from '../settings.ts';

/**
 * A container runs before it can have interfaces: they need its network namespace. Therefore its program waits for them, by a shell that
 * comes from this machine, as the image may have none.
 */
interface StartupWait {
  mount: Mount;
  /** Goes before the words of what is started. */
  words: string[];
}

/** Its name tells busybox what it is. */
export const BUSYBOX = '/.topolog/busybox';
/** Number of the loopback interface that says that everything is set up: it belongs to the network, and is gone with it. */
export const READY_LENGTH = 1001;

/**
 * Waits until the interfaces are up and set up, so that no program sees them come up: zebra of FRR 8 crashes when a macvlan device comes up whose
 * lower device it cannot see. Words come as arguments and are looked for in the PATH here: busybox's own shell would take its own commands
 * for those of the image. It goes on without them after 70 s.
 */
const SCRIPT = `names=$1; shift; n=0
ready() {
  IFS=:
  for name in $names; do
    s=; [ -e "/sys/class/net/$name" ] && read -r s < "/sys/class/net/$name/operstate"
    [ "$s" = up ] || return 1
  done
  s=; read -r s < /sys/class/net/lo/tx_queue_len; [ "$s" = ${READY_LENGTH} ]
}
while ! ready && [ $n -lt 3500 ]; do n=$((n + 1)); ${BUSYBOX} usleep 20000; done
IFS=' '
case $1 in */*) exec "$@" ;; esac
IFS=:
for d in $PATH; do if [ -x "$d/$1" ] && [ ! -d "$d/$1" ]; then p="$d/$1"; shift; IFS=' '; exec "$p" "$@"; fi; done
echo "$1: not found"; exit 127`;

/**
 * null when this machine has no busybox that runs in any image: then the container does not wait. `names`: of its interfaces.
 */
export const waitingFor = async (names: readonly string[]): Promise<StartupWait | null> => {
  const busybox = names.length === 0 ? null : await findBusybox();
  if (busybox === null) return null;
  return {
    mount: { Type: 'bind', Source: busybox, Target: BUSYBOX, ReadOnly: true },
    words: [BUSYBOX, 'sh', '-c', SCRIPT, 'topolog', names.join(':')],
  };
};

/** null: there is none here that runs in any image. */
export const findBusybox = async (): Promise<string | null> => {
  const busybox = await which('busybox');
  return busybox !== null && (await isStatic(busybox)) ? busybox : null;
};

/** First program of a container, which waits for its interfaces. An entry point of the node's own goes without the image's command. */
export const firstProgram = async (
  { entrypoint, command }: Pick<Settings, 'entrypoint' | 'command'>,
  image: Image,
  interfaces: readonly string[],
): Promise<FirstProgram> => {
  const waiting = await waitingFor(interfaces);
  if (waiting === null) return { entrypoint, command, mounts: [] };
  const words = [...(entrypoint ?? image.entrypoint), ...(command ?? (entrypoint === null ? image.command : []))];
  return { entrypoint: waiting.words, command: words, mounts: [waiting.mount] };
};

/** ELF, 64 bits, little-endian: without a program header of type PT_INTERP (3) a program needs no loader and no libraries. */
const isStatic = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return false;
  try {
    const { buffer: head, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    if (bytesRead < 64 || head.readUInt32BE(0) !== 0x7f454c46 || head[4] !== 2 || head[5] !== 1) return false;
    const [offset, size, count] = [Number(head.readBigUInt64LE(32)), head.readUInt16LE(54), head.readUInt16LE(56)];
    const types = Array.from({ length: count }, (_, n) => offset + n * size)
      .filter((at) => at + 4 <= bytesRead)
      .map((at) => head.readUInt32LE(at));
    return types.length > 0 && !types.includes(3);
  } finally {
    await file.close();
  }
};
