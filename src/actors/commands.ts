import type { Properties } from '../emulators/kit/contract.ts';
import type { BatchCommand } from './batch/interface.ts';
import type { Caller } from './caller.ts';
import type { CaptureCommands } from './capture/interface.ts';
import type { CatalogueCommands } from './catalogue/interface.ts';
import type { ComputeCommands } from './compute/interface.ts';
import type { CheckCommands } from './check/interface.ts';
import type { ClaimCommands } from './claim/interface.ts';
import type { DrawingCommands } from './drawing/interface.ts';
import type { LinkCommands } from './link/interface.ts';
import type { NodeCommands } from './node/interface.ts';
import type { OperationCommands } from './operation/interface.ts';
import type { PortCommands } from './port/interface.ts';
import type { ProjectCommands } from './project/interface.ts';
import type { RequestCommands } from './runtime/interface.ts';
import type { SnapshotCommands } from './snapshot/interface.ts';
import type { TemplateCommands } from './template/interface.ts';
import type { TransferCommands } from './transfer/interface.ts';
import type { UndoCommands } from './undo/interface.ts';

export type * from './batch/interface.ts';
export type * from './caller.ts';
export type * from './capture/interface.ts';
export type * from './catalogue/interface.ts';
export type * from './compute/interface.ts';
export type * from './check/interface.ts';
export type * from './claim/interface.ts';
export type * from './drawing/interface.ts';
export type * from './link/interface.ts';
export type * from './node/interface.ts';
export type * from './operation/interface.ts';
export type * from './port/interface.ts';
export type * from './project/interface.ts';
export type * from './runtime/interface.ts';
export type * from './snapshot/interface.ts';
export type * from './template/interface.ts';
export type * from './transfer/interface.ts';
export type * from './undo/interface.ts';

/** Everything that can be asked of the lab. Each resolves after its events are on disk; expected failures are TopologErrors. */
export interface Commands
  extends
    BatchCommand,
    CaptureCommands,
    CatalogueCommands,
    ComputeCommands,
    CheckCommands,
    ClaimCommands,
    DrawingCommands,
    LinkCommands,
    NodeCommands,
    OperationCommands,
    PortCommands,
    ProjectCommands,
    RequestCommands,
    SnapshotCommands,
    TemplateCommands,
    TransferCommands,
    UndoCommands {
  /** Puts a picture into the symbol directory. `name`: whatever a client calls it; only its last part counts. */
  storeSymbol(caller: Caller, name: string, bytes: Uint8Array): Promise<void>;
  /** Of a kind that has one. Resolves with all of it. */
  changeKindSetting(caller: Caller, kind: string, changes: Properties): Promise<Properties>;
}
