import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listen } from '../support/feed-client.ts';
import { PROJECT, projectData } from '../support/events.ts';
import { NODE, nodeData } from '../support/events-of-node.ts';
import { feedLab } from './feed-lab.ts';

describe('the feed of a compute', () => {
  it('tells a controller of warnings and of nodes that end, each with its project', async (t) => {
    const lab = await feedLab();
    t.after(() => lab.close());
    await lab.append('project.created', projectData());
    await lab.append('node.created', nodeData());
    const feed = await listen(lab.url, '/v2/compute/notifications/ws');
    await lab.append('warning.raised', { message: 'PC1 starts with another image', node_id: NODE });
    const ended = { code: 1, signal: null, output: 'no memory' };
    await lab.append('node.exited', { node_id: NODE, project_id: PROJECT, ...ended });
    const warning = await feed.next('log.warning');
    assert.deepEqual([warning.event, warning.project_id], [{ message: 'PC1 starts with another image' }, PROJECT]);
    const error = await feed.next('log.error');
    assert.match(String(error.event['message']), /ended with code 1: no memory/);
    assert.equal(error.project_id, PROJECT);
    await feed.close();
  });
});
