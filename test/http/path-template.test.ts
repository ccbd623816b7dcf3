import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { byPreference, folder, pathPattern } from '../../src/http/routing/path-template.ts';

const FORWARD = '/v2/computes/{compute_id}/{emulator}/{action}';
const ENDPOINT = '/v2/computes/endpoint/{compute_id}/{emulator}/{action}';
const FILES = '/v2/projects/{project_id}/files/{path}';
const RAW = '/v2/symbols/{symbol_id}/raw';

describe('names with slashes', () => {
  const fold = folder([FORWARD, ENDPOINT, FILES, RAW]);

  it('are one segment to the router, doubled slashes kept, wherever they stand in the path', () => {
    const folded: [string, string][] = [
      ['/v2/projects/p/files//etc/hosts', '/v2/projects/p/files/%2Fetc%2Fhosts'],
      ['/v2/projects/p/files/a//b?at=/x/', '/v2/projects/p/files/a%2F%2Fb?at=/x/'],
      ['/v2/symbols//symbols/x.svg/raw', '/v2/symbols/%2Fsymbols%2Fx.svg/raw'],
      ['/v2/symbols/:/symbols/x.svg/raw?a=b', '/v2/symbols/:%2Fsymbols%2Fx.svg/raw?a=b'],
      ['/v2/computes/local/vpcs/images/a/b', '/v2/computes/local/vpcs/images%2Fa%2Fb'],
      ['/v2/computes/endpoint/local/vpcs/images/a', '/v2/computes/endpoint/local/vpcs/images%2Fa'],
    ];
    for (const [url, expected] of folded) assert.equal(fold(url), expected);
  });

  it('are looked for nowhere else', () => {
    for (const url of ['/v2/projects//files', '/v2/projects/p/files', '/v2/symbols?a=/v2/symbols/x/y/raw', '/', ''])
      assert.equal(fold(url), url);
  });
});

describe('templates', () => {
  it('that are written out further are preferred', () => {
    const sorted = [FORWARD, '/v2/{a}/z', ENDPOINT, RAW].sort(byPreference);
    assert.deepEqual(sorted, [ENDPOINT, FORWARD, RAW, '/v2/{a}/z']);
  });

  it('give the values of their placeholders by name', () => {
    const found = pathPattern(FORWARD).exec('/v2/computes/local/qemu/images/a//b')?.groups;
    assert.deepEqual({ ...found }, { compute_id: 'local', emulator: 'qemu', action: 'images/a//b' });
  });
});
