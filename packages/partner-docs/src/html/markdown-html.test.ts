import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markdownHtml } from './markdown-html.js';

it.each([
  ['## A `b` c?', '<h2 id="a-b-c">A <code>b</code> c?</h2>'],
  ['## A\n\n## A', '<h2 id="a">A</h2>\n<h2 id="a-1">A</h2>'],
  ['one\ntwo & <b>three</b>', '<p>one\ntwo &amp; &lt;b&gt;three&lt;/b&gt;</p>'],
  ['<div>\n\na\n\n</div>', '<p>&lt;div&gt;</p>\n<p>a</p>\n<p>&lt;/div&gt;</p>'],
  ['<pre><img onerror="x" **a**', '<p>&lt;pre&gt;&lt;img onerror=&quot;x&quot; <strong>a</strong></p>'],
  ['![a "b"](c.png)', '<p>a &quot;b&quot;</p>'],
  [
    '**a** _b_ snake_case_name `_c_`',
    '<p><strong>a</strong> <em>b</em> snake_case_name <code>_c_</code></p>',
  ],
  ['[a `b`](c.md#d)', '<p><a href="C.MD#D">a <code>b</code></a></p>'],
  [
    '[a](mailto:b@c.test) [d](https://e.test)',
    '<p><a href="MAILTO:B@C.TEST">a</a> <a href="HTTPS://E.TEST">d</a></p>',
  ],
  ['https://a.test a@b.test', '<p>https://a.test a@b.test</p>'],
  ['- a\n  b\n- [ ] c', '<ul>\n<li>a\nb</li>\n<li>☐ c</li>\n</ul>'],
  ['1. a\n2. b', '<ol>\n<li>a</li>\n<li>b</li>\n</ol>'],
  ['> a', '<blockquote>\n<p>a</p>\n</blockquote>'],
  [
    '```sh\n<a> `b`\n\n# c\n```',
    '<div class="fence"><pre tabindex="0"><code>&lt;a&gt; `b`\n\n# c</code></pre></div>',
  ],
  [
    '| a | b |\n| --- | --- |\n| c \\| d | `"` |',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody><tr>\n<td>c | d</td>\n<td><code>&quot;</code></td>\n</tr>\n</tbody></table>',
  ],
])('turns %j into HTML', (markdown, html) => {
  expect(markdownHtml(markdown, (link) => link.toUpperCase()).trimEnd()).toBe(html);
});

it.each([
  '[a](javascript:b)',
  '[a](JavaScript:b)',
  '[a](<java\tscript:b>)',
  '[a](< javascript:b>)',
  '[a](data:text/html,b)',
  '[a](ftp://b.test)',
  '[a][b]\n\n[b]: vbscript:c',
])('shows only the label of %j, because its scheme is not allowed', (markdown) => {
  expect(markdownHtml(markdown)).toBe('<p>a</p>\n');
});

const PIECES = ['<script>', '<img src=x onerror=a ', '<pre>', '<!--', '-->', '<a href="', '<javascript:a>'];
const ADDRESSES = [
  'javascript:a',
  'java\tscript:a',
  '&#106;avascript:a',
  'javascript&colon;a',
  'data:a',
  'a.md',
];
const MARKS = ['[a](', '![a](', '[a]: ', '[a]', '](', ')', '(', '<', '>', '"', "'", '&', '&quot;', '\\', '`'];
const BLOCKS = [
  '\n',
  '\n\n',
  '```\n',
  '~~~\n',
  '> ',
  '- ',
  '- [ ] ',
  '1. ',
  '# ',
  '| a |\n| :-: |\n| ',
  '    ',
];
const TAG = /<(\/?[a-z]\w*)((?: [a-z]+="[^"<>]*")*)>/g;
const ATTRIBUTE = / ([a-z]+)="([^"]*)"/g;
const ATTRIBUTES = ['align', 'class', 'href', 'id', 'start', 'tabindex'];

it('writes only its own elements and attributes, and only safe links, whatever the Markdown has', () => {
  const piece = fc.constantFrom(...PIECES, ...ADDRESSES, ...MARKS, ...BLOCKS, '*', '_', 'a', ' ');
  fc.assert(
    fc.property(fc.array(piece, { size: 'max', maxLength: 40 }), (pieces) => {
      const html = markdownHtml(pieces.join(''));
      expect(html.replaceAll(TAG, '')).not.toMatch(/[<>]/);
      for (const [, name = '', attributes = ''] of html.matchAll(TAG)) {
        expect(['script', 'img', 'input', 'style', 'iframe']).not.toContain(name);
        for (const [, attribute = '', value = ''] of attributes.matchAll(ATTRIBUTE)) {
          expect(ATTRIBUTES).toContain(attribute);
          const address = new URL(value.replaceAll('&amp;', '&'), 'https://relative.test');
          if (attribute === 'href') expect(address.protocol).toMatch(/^(?:https?|mailto):$/);
        }
      }
    }),
    { numRuns: 500 },
  );
});
