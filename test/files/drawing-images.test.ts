import assert from 'node:assert/strict';
import { promises as files } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readDrawingImages } from '../../src/files/project/drawing-images.ts';
import { imageInfo } from '../../src/files/symbols/image-size.ts';
import type { ParsedProject } from '../../src/files/read/parsed.ts';
import { fixture } from '../fixtures/fixture.ts';
import { read } from './harness.ts';

/** First bytes of pictures of 300 by 200 pixels. */
const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000012c000000c80802000000', 'hex');
const GIF = Buffer.from('4749463839612c01c800f00000', 'hex');
/** APP0, a table (DHT), a fill byte, then the frame header. */
const JPEG = Buffer.from('ffd8ffe000044a46ffc4000400ffffffc0001108' + '00c8012c' + '03', 'hex');

describe('type and size of a picture', () => {
  it('come from the first bytes of PNG, GIF and JPEG', () => {
    assert.deepEqual(imageInfo(PNG), { type: 'image/png', width: 300, height: 200 });
    assert.deepEqual(imageInfo(GIF), { type: 'image/gif', width: 300, height: 200 });
    assert.deepEqual(imageInfo(JPEG), { type: 'image/jpeg', width: 300, height: 200 });
  });

  it('are unknown for anything else, and for what ends too early', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('<svg/>'), Buffer.alloc(100, 0xff)]) {
      assert.equal(imageInfo(bytes), undefined);
    }
    for (const picture of [PNG.subarray(0, 23), GIF.subarray(0, 9)]) assert.equal(imageInfo(picture), undefined);
    for (let end = 0; end < JPEG.length - 1; end += 1) assert.equal(imageInfo(JPEG.subarray(0, end)), undefined);
  });
});

describe('drawings that are files of the project', () => {
  let root = '';
  let images = '';
  before(async () => {
    root = await files.mkdtemp(path.join(os.tmpdir(), 'topolog-images-'));
    images = path.join(root, 'lab', 'project-files', 'images');
    await files.mkdir(images, { recursive: true });
    await files.writeFile(path.join(images, 'long.svg'), '<svg><text>long</text></svg>');
    await files.writeFile(path.join(images, 'photo.png'), PNG);
    await files.writeFile(path.join(images, 'notes.txt'), 'no picture');
    await files.writeFile(path.join(root, 'lab', 'secret.svg'), '<svg>secret</svg>');
    await files.symlink(path.join(root, 'lab', 'secret.svg'), path.join(images, 'link.svg'));
  });
  after(() => files.rm(root, { recursive: true, force: true }));

  const withSvg = (...svgs: string[]): ParsedProject => {
    const project = read(fixture('projects/unknown-keys.gns3'));
    const [first] = project.drawings;
    assert.ok(first);
    return { ...project, drawings: svgs.map((svg) => ({ ...first, svg })) };
  };

  it('have no more than a bound of pictures together; the others keep the name', async () => {
    const large = await files.open(path.join(images, 'large.png'), 'w');
    await large.write(PNG);
    await large.truncate(15 << 20);
    await large.close();
    const { drawings, warnings } = await readDrawingImages(
      withSvg(...new Array<string>(6).fill('large.png')),
      path.join(root, 'lab'),
    );
    assert.deepEqual(
      drawings.map(({ svg }) => svg === 'large.png'),
      [false, false, false, true, true, true],
    );
    assert.equal(
      warnings.filter((one) => /the pictures of a project may have \d+ characters together/.test(one)).length,
      3,
    );
  });

  it('get the content of their file: SVG as it is, a picture inside an SVG of its size', async () => {
    const project = await readDrawingImages(withSvg('long.svg', 'photo.png'), path.join(root, 'lab'));
    assert.equal(project.drawings[0]?.svg, '<svg><text>long</text></svg>');
    const picture = project.drawings[1]?.svg ?? '';
    assert.match(picture, /^<svg [^>]*width="300" height="200"><image width="300" height="200" /);
    assert.ok(picture.includes(`data:image/png;base64,${PNG.toString('base64')}"`));
    assert.deepEqual(project.warnings, []);
  });

  it('that have their SVG in the project file stay as they are', async () => {
    const project = withSvg('<svg><rect/></svg>', '');
    assert.deepEqual(await readDrawingImages(project, path.join(root, 'lab')), project);
  });

  it('whose name leads elsewhere, nowhere or to no picture keep it, with a warning', async () => {
    const names = [
      '../../secret.svg',
      path.join(root, 'lab/secret.svg'),
      'link.svg',
      '..',
      'gone.svg',
      'notes.txt',
      'a\0b',
    ];
    const project = await readDrawingImages(withSvg(...names), path.join(root, 'lab'));
    assert.deepEqual(
      project.drawings.map((d) => d.svg),
      names,
    );
    assert.equal(project.warnings.length, names.length);
  });

  it('are not read from a folder that a link puts in place of the project’s own', async () => {
    const other = path.join(root, 'other');
    await files.mkdir(path.join(other, 'project-files'), { recursive: true });
    await files.symlink(images, path.join(other, 'project-files', 'images'));
    const project = await readDrawingImages(withSvg('long.svg'), other);
    assert.equal(project.drawings[0]?.svg, 'long.svg');
    assert.match(project.warnings[0] ?? '', /leads to another directory/);
  });
});
