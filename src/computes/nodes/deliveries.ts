import type { Kind, KindNode } from '../../emulators/kit/contract.ts';
import type { ImageContext } from '../../emulators/shared/images/image-files.ts';
import type { ComputeClient } from '../client/client-contract.ts';
import { FileLists, fetchFiles, type NodePlace, sendFiles } from './files.ts';
import { ComputeImages, type ImageProgress } from './images.ts';

/** What this server has that its computes need. */
export interface DeliveryParts {
  images: ImageContext;
  /** Of a project of ours. */
  project(projectId: string): { name: string; variables: unknown };
  /** An image is being sent for nodes of a project. `of`: octets. */
  begin(projectId: string, of: number): { add(octets: number): void; end(): void };
}

/** Brings to a compute what its nodes need, and back what they have made. */
export class Deliveries {
  readonly #parts: DeliveryParts;
  readonly #place: { client: ComputeClient; compute: string };
  readonly #images: ComputeImages;
  readonly #lists = new FileLists();
  /** Projects with a node that waits for images. */
  readonly #waiting = new Map<string, number>();
  readonly #jobs = new Map<string, { done: number; job: ReturnType<DeliveryParts['begin']> }>();

  constructor(parts: DeliveryParts, place: { client: ComputeClient; compute: string }) {
    this.#parts = parts;
    this.#place = place;
    this.#images = new ComputeImages({ ...place, images: parts.images, progress: (progress) => this.#tell(progress) });
  }

  project(projectId: string): ReturnType<DeliveryParts['project']> {
    return this.#parts.project(projectId);
  }

  /** After a connection was lost. */
  forget(): void {
    this.#images.forget();
  }

  async sendImages(kind: Kind, node: KindNode, signal: AbortSignal): Promise<void> {
    const { project_id: id } = node;
    this.#waiting.set(id, (this.#waiting.get(id) ?? 0) + 1);
    try {
      await this.#images.send(node, kind, signal);
    } finally {
      const left = (this.#waiting.get(id) ?? 1) - 1;
      if (left === 0) this.#waiting.delete(id);
      else this.#waiting.set(id, left);
    }
  }

  /** `only`: these and no others. */
  sendFiles(kind: Kind, node: KindNode, signal: AbortSignal, only?: readonly string[]): Promise<void> {
    const place = { ...placeOf(kind, node), ...(only === undefined ? {} : { only }) };
    return sendFiles({ ...this.#place, lists: this.#lists }, place, signal);
  }

  /** The node's directory becomes what the compute has. */
  fetchFiles(kind: Kind, node: KindNode, signal: AbortSignal): Promise<void> {
    return fetchFiles(this.#place, placeOf(kind, node), signal);
  }

  #tell({ name, done, total }: ImageProgress): void {
    for (const projectId of this.#waiting.keys()) {
      const key = `${projectId} ${name}`;
      const known = this.#jobs.get(key) ?? { done: 0, job: this.#parts.begin(projectId, total) };
      known.job.add(done - known.done);
      this.#jobs.set(key, { ...known, done });
      if (done < total) continue;
      known.job.end();
      this.#jobs.delete(key);
    }
  }
}

const placeOf = ({ directory }: Kind, node: KindNode): NodePlace => ({ node, directory });
