import { expect, it } from 'vitest';
import { markdownHtml } from './markdown-html.js';

it.each([
  ['## A `b` c?', '<h2 id="a-b-c">A <code>b</code> c?</h2>'],
  ['## A\n\n## A', '<h2 id="a">A</h2>\n<h2 id="a-1">A</h2>'],
  ['one\ntwo & <b>three</b>', '<p>one\ntwo &amp; &lt;b&gt;three&lt;/b&gt;</p>'],
  [
    '**a** _b_ snake_case_name `_c_`',
    '<p><strong>a</strong> <em>b</em> snake_case_name <code>_c_</code></p>',
  ],
  ['[a `b`](c.md#d)', '<p><a href="C.MD#D">a <code>b</code></a></p>'],
  ['- a\n  b\n- [ ] c', '<ul>\n<li>a\nb</li>\n<li>☐ c</li>\n</ul>'],
  ['1. a\n2. b', '<ol>\n<li>a</li>\n<li>b</li>\n</ol>'],
  ['> a', '<blockquote>a</blockquote>'],
  [
    '```sh\n<a> `b`\n\n# c\n```',
    '<div class="fence"><pre tabindex="0"><code>&lt;a&gt; `b`\n\n# c</code></pre></div>',
  ],
  [
    '| a | b |\n| --- | --- |\n| c \\| d | `"` |',
    '<table>\n<thead><tr><th>a</th><th>b</th></tr></thead>\n<tbody>\n<tr><td>c | d</td><td><code>&quot;</code></td></tr>\n</tbody>\n</table>',
  ],
])('turns %j into HTML', (markdown, html) => {
  expect(markdownHtml(markdown, (link) => link.toUpperCase())).toBe(html);
});

it.each([
  ['<b>a</b>', 'no HTML'],
  ['![a](b.png)', 'no images'],
  ['- a\n  - b', 'one level'],
  ['```sh\na', 'does not end'],
])('refuses %j, which it would show wrongly', (markdown, message) => {
  expect(() => markdownHtml(markdown)).toThrow(message);
});
