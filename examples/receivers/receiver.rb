# A webhook receiver. Run: WEBHOOK_SECRET=whsec_… PORT=4000 ruby receiver.rb
require 'json'
require 'openssl'
require 'socket'

SECRETS = ENV.fetch('WEBHOOK_SECRET').scan(/[^\s,]+/) # one or several
MAX_BYTES = 1_048_576
SEEN = {} # yours is a table with a unique column

def genuine?(header, body)
  entries = header.split(',').map { |entry| entry.split('=', 2) }
  t = entries.assoc('t').to_a[1].to_s
  return false unless t.match?(/\A\d{1,12}\z/) && (Time.now.to_i - t.to_i).abs <= 300

  given = entries.filter_map { |name, value| value.to_s if name == 'v1' }
  expected = SECRETS.map { |secret| OpenSSL::HMAC.hexdigest('SHA256', secret, "#{t}.".b + body.b) }
  given.product(expected).map { |pair| OpenSSL.secure_compare(*pair) }.any?
end

def receive(socket)
  socket.gets # the line with method and path
  headers = {}
  while (line = socket.gets.to_s.chomp) != ''
    name, value = line.split(':', 2)
    headers[name.downcase] = value.to_s.strip
  end
  body = socket.read([headers['content-length'].to_i, MAX_BYTES].min).to_s # the raw bytes
  is_signed = genuine?(headers['x-partner-signature'].to_s, body)
  event = is_signed ? JSON.parse(body) : {}
  puts "#{event['id']} #{event['type']}" if is_signed && !SEEN.key?(event['id'])
  SEEN[event['id']] = true if is_signed
  socket.write("HTTP/1.1 #{is_signed ? 204 : 400} Done\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
ensure
  socket.close
end

if __FILE__ == $PROGRAM_NAME
  $stdout.sync = true
  server = TCPServer.new(ENV['HOST'], Integer(ENV.fetch('PORT')))
  loop { Thread.new(server.accept) { |socket| receive(socket) } }
end
