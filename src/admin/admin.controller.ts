import { Controller, Get } from '@nestjs/common';
import { Answer, contentEntityTag } from '../http/answer.js';
import { HTML_TYPE } from '../http/media-types.js';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Posts administration</title>
  </head>
  <body>
    <h1>Posts administration</h1>
    <p>This version has no administration site yet. Posts are written with the <a href="../docs/">browsable form</a>.</p>
  </body>
</html>
`;

@Controller('admin')
export class AdminController {
  @Get()
  getPage(): Answer {
    return new Answer({
      status: 200,
      headers: {
        'Content-Type': `${HTML_TYPE}; charset=utf-8`,
        'Cache-Control': 'no-cache',
        'Content-Security-Policy':
          "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        Vary: 'Accept, Accept-Encoding',
      },
      entityTag: contentEntityTag(PAGE),
      body: PAGE,
    });
  }
}
