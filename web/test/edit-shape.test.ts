import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { editShape, readShape } from '../src/map/actions/edit-shape.ts';
import { meaningOf } from '../src/map/actions/map-keys.ts';
import { editDrawing, type MenuScope, menuOf } from '../src/map/actions/menus.ts';
import { svgOf } from '../src/map/flow/shapes.ts';
import type { Drawing } from '../src/store/records.ts';

const look = { width: 200, height: 100, stroke: '#457b9d', fill: '#e8f1f8', text: 'a < b\n& "c"', fontSize: 16 };
const drawing = (svg: string): Drawing => ({ drawing_id: 'd', svg, locked: false }) as Drawing;

describe('the text and the colours of a drawing', () => {
  it('are read from every shape that the page makes, and changed as if it had been made so', () => {
    for (const shape of ['rectangle', 'ellipse', 'line', 'text'] as const) {
      const svg = svgOf(shape, look);
      const hasFill = shape === 'rectangle' || shape === 'ellipse';
      assert.deepEqual(readShape(svg), {
        shape,
        stroke: '#457b9d',
        fill: hasFill ? '#e8f1f8' : null,
        text: shape === 'text' ? look.text : '',
      });
      assert.deepEqual(readShape(editShape(svg, { stroke: '#ff0000', ...(hasFill ? { fill: null } : {}) })), {
        shape,
        stroke: '#ff0000',
        fill: null,
        text: shape === 'text' ? look.text : '',
      });
    }
  });

  it('grow with the text', () => {
    const svg = svgOf('text', { ...look, text: 'x' });
    const longer = 'longer\nand with lines';
    const sizeIn = (one: string): unknown => /width="\d+" height="\d+"/.exec(one)?.[0];
    assert.equal(sizeIn(editShape(svg, { text: longer })), sizeIn(svgOf('text', { ...look, text: longer })));
    assert.equal(readShape(editShape(svg, { text: longer }))?.text, longer);
  });

  it('of other editors keep all that was not touched', () => {
    const rect =
      '<svg height="100" width="200"><rect fill="#fff" fill-opacity="1.0" height="100" stroke="black" stroke-dasharray="5, 5" width="200" /></svg>';
    assert.deepEqual(readShape(rect), { shape: 'rectangle', stroke: null, fill: '#ffffff', text: '' });
    const edited = editShape(rect, { fill: '#00ff00' });
    for (const part of ['fill="#00ff00"', 'stroke="black"', 'stroke-dasharray="5, 5"', 'fill-opacity="1.0"'])
      assert.ok(edited.includes(part), edited);
    const text =
      '<svg height="24" width="99"><text fill="#000000" font-family="TypeWriter" font-size="10.0" font-weight="bold">R1 &amp; R2</text></svg>';
    assert.equal(readShape(text)?.text, 'R1 & R2');
    const changed = editShape(text, { text: 'R3\nR4' });
    assert.match(changed, /^<svg width="\d+" height="\d+"><text [^>]*font-weight="bold">R3\nR4<\/text><\/svg>$/);
  });

  it('cannot put anything but text and colours into it', () => {
    const svg = editShape(svgOf('text', look), { text: '</text><script>x</script>', stroke: '"><script>' });
    assert.doesNotMatch(svg, /<script/);
    assert.equal(readShape(svg)?.text, '</text><script>x</script>');
  });

  it('are left alone where it is no single shape', () => {
    for (const svg of [
      '<svg><image href="data:image/png;base64,AA"/></svg>',
      '<svg><rect/><rect/></svg>',
      '<svg><rect style="fill: red"/></svg>',
      '<svg><text x="1" y="2">a</text><text x="50" y="2">b</text></svg>',
      '<svg><text>a<tspan>b</tspan></text></svg>',
      'no picture',
    ]) {
      assert.equal(readShape(svg), null, svg);
      assert.equal(editShape(svg, { stroke: '#ff0000' }), svg);
    }
  });
});

describe('editing a drawing', () => {
  const one = drawing(svgOf('line', look));
  const scopeOf = (isReadOnly: boolean) => {
    const asked: unknown[] = [];
    return { asked, scope: { isReadOnly, ask: (what: unknown) => asked.push(what) } as unknown as MenuScope };
  };

  it('is asked for by a key and in the menu', () => {
    const key = { key: 'e', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
    assert.deepEqual(meaningOf(key), { do: 'edit' });
    const { asked, scope } = scopeOf(false);
    const chosen = { nodes: [], links: [], drawings: [one] };
    const item = menuOf(scope, chosen, { x: 0, y: 0 }).find(({ text }) => text === 'Edit');
    assert.equal(item?.isDisabled, false);
    item?.onChoose();
    editDrawing(scope, chosen);
    assert.deepEqual(asked, Array(2).fill({ what: 'edit-drawing', drawing: one }));
  });

  it('is not possible in the past, nor of several at once', () => {
    const past = scopeOf(true);
    editDrawing(past.scope, { nodes: [], links: [], drawings: [one] });
    const { asked, scope } = scopeOf(false);
    editDrawing(scope, { nodes: [], links: [], drawings: [one, one] });
    editDrawing(scope, { nodes: [], links: [], drawings: [] });
    assert.deepEqual([...past.asked, ...asked], []);
  });
});
