import { z } from 'zod';
import type { OperationCall } from '../../../actors/commands.ts';
import type { Kind, KindOperation, NodeOperation } from '../../../emulators/kit/contract.ts';
import { UUID, UUID_PROBLEM, word } from '../../../model/types.ts';
import type { Api } from '../../api.ts';
import { servesController } from '../../routing/controller.ts';
import { done, json, jsonText, type Payload, type Route, route, type Success } from '../../routing/route.ts';
import { badField } from '../../server/parameters.ts';
import { FILE_TYPE } from '../nodes/files.ts';
import { anyObject } from '../schema.ts';
import { nodePath } from './nodes.ts';

export const image = z.strictObject({
  filename: z.string(),
  path: z.string(),
  filesize: z.int(),
  md5sum: z.string(),
});

const copyDestination = z.strictObject({ destination_node_id: word });

/** Images of a kind that keeps some in a directory. */
export const imageRoutes = (api: Api, kind: Kind): Route[] =>
  kind.images === undefined ? [] : [list(api, kind), download(api, kind), upload(api, kind)];

const pathOf = (kind: Kind): string => `/v2/compute/${kind.name}/images`;

const list = ({ images }: Api, kind: Kind): Route =>
  route('GET', pathOf(kind), {
    summary: `Images for ${kind.name} nodes, with their MD5 sums`,
    success: { code: 200, schema: z.array(image) },
    handler: async () => json(await images.list(kind)),
  });

const download = ({ images }: Api, kind: Kind): Route =>
  route('GET', `${pathOf(kind)}/{filename}`, {
    summary: `Read an image for ${kind.name} nodes`,
    success: { code: 200, type: FILE_TYPE, description: 'Its bytes' },
    errors: [403, 404],
    handler: async ({ params }) => ({ stream: await images.open(kind, params.filename), type: FILE_TYPE }),
  });

const upload = ({ commands, limits }: Api, kind: Kind): Route =>
  route('POST', `${pathOf(kind)}/{filename}`, {
    summary: `Write an image for ${kind.name} nodes, as a whole`,
    upload: FILE_TYPE,
    errors: [400, 403, 404, 408, 409, 413, 507],
    handler: async (call) => {
      const file = { content: call.upload, length: call.uploadLength, limit: limits.imageBytes };
      return done(commands.writeImage(call.caller, kind.name, call.params.filename, file));
    },
  });

/** Operations that only this kind has, from its definition. */
export const kindOperationRoutes = (api: Api, kind: Kind): Route[] => [
  ...(kind.operations ?? []).map((operation) => ofKind(api, kind, operation)),
  ...(kind.nodeOperations ?? []).map((operation) => ofItsNodes(api, kind, operation)),
  ...(kind.capabilities.duplicate ? [duplicate(api, kind)] : []),
];

export const successOf = ({ code, output }: KindOperation | NodeOperation): Success =>
  output === undefined ? { code, description: 'Done' } : { code, schema: output };

export const answerOf = ({ output }: KindOperation | NodeOperation, result: unknown): Payload =>
  output === undefined ? null : json(result);

const ofKind = ({ commands }: Api, kind: Kind, operation: KindOperation): Route =>
  route(operation.method, `/v2/compute/${kind.name}/${operation.path}`, {
    summary: operation.summary,
    body: operation.body ?? anyObject,
    success: successOf(operation),
    errors: [400, 403, 404, 409],
    handler: async ({ caller, body, signal }) =>
      answerOf(operation, await commands.operate(caller, kind.name, callOf(operation, body, signal))),
  });

const ofItsNodes = (api: Api, kind: Kind, operation: NodeOperation): Route =>
  route(operation.method, `${nodePath(kind)}/${operation.path}`, {
    summary: operation.summary,
    body: operation.body ?? anyObject,
    success: successOf(operation),
    errors: [400, 403, 404, 409],
    handler: async (call) => {
      const { caller, params, body, signal } = call;
      const { commands, find } = api;
      const { state } = find.node(params.project_id, params.node_id, kind.name);
      const run = async (): Promise<Payload> =>
        answerOf(operation, await commands.operateNode(caller, params, callOf(operation, body, signal)));
      // A controller leaves the start to it.
      if (!servesController(api, call) || operation.requires !== 'started' || state !== 'stopped') return run();
      await commands.actOnNode(caller, params, 'start');
      try {
        return await run();
      } finally {
        await commands.actOnNode(caller, params, 'stop');
      }
    },
  });

/** Arguments of the operation; a body that it does not take is not recorded either. */
export const callOf = (
  { method, path, body }: KindOperation | NodeOperation,
  given: Record<string, unknown>,
  signal: AbortSignal,
): OperationCall => ({ method, path, args: body === undefined ? {} : given, signal });

const duplicate = ({ commands, find, json }: Api, kind: Kind): Route =>
  route('POST', `${nodePath(kind)}/duplicate`, {
    summary: `Put the files of a ${kind.name} node into the place of another's, which must be stopped; answers with the other`,
    body: copyDestination,
    success: { code: 201, schema: kind.output },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params, body: { destination_node_id } }) => {
      if (!UUID.test(destination_node_id)) throw badField('destination_node_id', UUID_PROBLEM);
      find.node(params.project_id, params.node_id, kind.name);
      find.node(params.project_id, destination_node_id, kind.name);
      const record = await commands.copyNodeFiles(caller, params, destination_node_id);
      return jsonText(json.computeNode(kind, record));
    },
  });
