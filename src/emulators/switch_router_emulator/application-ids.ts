import { conflict } from '../../common/errors.ts';
import type { KindNode } from '../kit/contract.ts';

const MOST = 512;

interface IdRequest {
  id: number;
  /** The node was not given an id: another will do when this one is taken. */
  orAnother: boolean;
  /** Id of its last run; null: none is known. */
  last: number | null;
}

/** Application ids in use: sockets, MAC addresses and files of an instance are named after its own. */
export interface ApplicationIds {
  /** Throws a conflict that names who has the id, or says that there is none left. */
  take(node: Pick<KindNode, 'node_id' | 'name'>, wished: IdRequest): Promise<number>;
  /** Reserves the id of an instance that runs already. */
  keep(node: Pick<KindNode, 'node_id' | 'name'>, id: number): void;
  release(nodeId: string): void;
}

/** `userOf` tells the process that uses an id on this machine, of any server. */
export const createApplicationIds = (userOf: (id: number) => Promise<number | null>): ApplicationIds => {
  const taken = new Map<number, Pick<KindNode, 'node_id' | 'name'>>();

  /** Reserves an id; answers who has it instead. */
  const reserve = async (node: Pick<KindNode, 'node_id' | 'name'>, id: number): Promise<string | null> => {
    const other = taken.get(id);
    if (other !== undefined && other.node_id !== node.node_id) return other.name;
    taken.set(id, node);
    const pid = await userOf(id);
    if (pid === null) return null;
    taken.delete(id);
    return `process ${pid}, which this server did not start`;
  };

  return {
    async take(node, { id, orAnother, last }) {
      if (!orAnother) {
        const other = await reserve(node, id);
        if (other === null) return id;
        throw conflict(
          `${node.name}: application_id ${id} is in use by ${other}; give one of them another one (1 to ${MOST})`,
          { field: 'application_id' },
        );
      }
      const following = Array.from({ length: MOST }, (_, n) => ((id - 1 + n) % MOST) + 1);
      for (const wish of last === null ? following : [last, ...following])
        if ((await reserve(node, wish)) === null) return wish;
      throw conflict(`${node.name}: all application ids from 1 to ${MOST} are in use`, { field: 'application_id' });
    },
    keep: ({ node_id, name }, id) => void taken.set(id, { node_id, name }),
    release(nodeId) {
      for (const [id, { node_id }] of taken) if (node_id === nodeId) taken.delete(id);
    },
  };
};
