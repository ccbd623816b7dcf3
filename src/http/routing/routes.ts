import type { Api } from '../api.ts';
import { batchRoutes } from '../v2/batch.ts';
import { captureRoutes } from '../v2/captures/captures.ts';
import { linkCaptureRoutes } from '../v2/captures/link-captures.ts';
import { catalogueRoutes } from '../v2/catalogue.ts';
import { checkRoutes } from '../v2/checks.ts';
import { computeBatchRoutes } from '../v2/compute/batch.ts';
import { claimRoutes } from '../v2/compute/claim.ts';
import { imageRoutes, kindOperationRoutes } from '../v2/compute/kinds.ts';
import { computeNodeRoutes } from '../v2/compute/nodes.ts';
import { computePortRoutes } from '../v2/compute/ports.ts';
import { computeProjectRoutes } from '../v2/compute/projects.ts';
import { computeRoutes } from '../v2/computes/computes.ts';
import { forwardRoutes } from '../v2/computes/forward.ts';
import { drawingRoutes } from '../v2/drawings.ts';
import { editRoutes } from '../v2/edits.ts';
import { eventRoutes } from '../v2/events/events.ts';
import { replayRoutes } from '../v2/events/replays.ts';
import { sessionRoutes } from '../v2/events/sessions.ts';
import { timeLineRoutes } from '../v2/events/timeline.ts';
import { whyRoutes } from '../v2/events/why.ts';
import { feedRoutes } from '../v2/feeds.ts';
import { labRoutes } from '../v2/labs.ts';
import { linkRoutes } from '../v2/links/routes.ts';
import { nodeActionRoutes, nodeOperationRoutes } from '../v2/nodes/actions.ts';
import { configRoutes } from '../v2/nodes/configs.ts';
import { fileRoutes } from '../v2/nodes/files.ts';
import { nodeRoutes } from '../v2/nodes/nodes.ts';
import { recordingRoutes } from '../v2/nodes/recordings.ts';
import { waitRoutes } from '../v2/nodes/wait.ts';
import { archiveRoutes } from '../v2/projects/archives.ts';
import { pictureRoutes } from '../v2/projects/picture.ts';
import { projectRoutes } from '../v2/projects/projects.ts';
import { loginRoutes } from '../v2/server/login.ts';
import { pageRoutes } from '../v2/server/page.ts';
import { operatingRoutes, serverRoutes, serviceRoutes } from '../v2/server/server.ts';
import { settingRoutes } from '../v2/server/settings.ts';
import { snapshotRoutes } from '../v2/snapshots.ts';
import { stageRoutes } from '../v2/stages.ts';
import { symbolRoutes } from '../v2/symbols.ts';
import { templateRoutes } from '../v2/templates.ts';
import { weatherRoutes } from '../v2/weather.ts';
import { openApiDocument } from './openapi.ts';
import { fixedJson, type Payload, type Route } from './route.ts';
import { computeMachineRoutes } from '../v2/compute/machine.ts';

/** The whole table. */
export const createRoutes = (api: Api): Route[] => {
  let kept: Payload | undefined;
  const document = (): Payload => (kept ??= fixedJson(JSON.stringify(openApiDocument(routes, api))));
  const compute: Route[] = [
    ...computeMachineRoutes(api),
    ...claimRoutes(api),
    ...computeProjectRoutes(api),
    ...api.kinds.all().flatMap((kind) => [...computeNodeRoutes(api, kind), ...computePortRoutes(api, kind)]),
    ...api.kinds.all().flatMap((kind) => [...imageRoutes(api, kind), ...kindOperationRoutes(api, kind)]),
  ];
  const routes: Route[] = [
    ...serverRoutes(api, document),
    ...operatingRoutes(api),
    ...loginRoutes(api),
    ...computeRoutes(api),
    ...projectRoutes(api),
    ...pictureRoutes(api),
    ...nodeRoutes(api),
    ...nodeActionRoutes(api),
    ...recordingRoutes(api),
    ...configRoutes(api),
    ...linkRoutes(api),
    ...linkCaptureRoutes(api),
    ...captureRoutes(api),
    ...drawingRoutes(api),
    ...checkRoutes(api),
    ...stageRoutes(api),
    ...batchRoutes(api),
    ...labRoutes(api),
    ...eventRoutes(api),
    ...timeLineRoutes(api),
    ...whyRoutes(api),
    ...editRoutes(api),
    ...sessionRoutes(api),
    ...replayRoutes(api),
    ...templateRoutes(api),
    ...symbolRoutes(api),
    ...catalogueRoutes(api),
    ...settingRoutes(api),
    ...feedRoutes(api),
    ...waitRoutes(api),
    ...archiveRoutes(api),
    ...snapshotRoutes(api),
    ...weatherRoutes(api),
    ...fileRoutes(api),
    ...serviceRoutes(api),
    ...nodeOperationRoutes(api),
    ...forwardRoutes(api, compute),
    ...pageRoutes(api),
    ...compute,
    ...computeBatchRoutes(api, compute),
  ];
  return routes;
};
