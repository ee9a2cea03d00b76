#include "batch.h"

namespace squall::server {

Batch::~Batch() {
  if (!responses_.empty()) responses_ += ']';
  done_(*carrier_, std::move(responses_));
}

void Batch::add(std::string_view response) {
  responses_ += responses_.empty() ? '[' : ',';
  responses_ += response;
}

void BatchOutlet::finish(int, std::string_view response) {
  ended_();
  batch_->add(response);
  batch_ = nullptr;
}

void BatchOutlet::abandon() {
  ended_();
  batch_ = nullptr;
}

void BatchOutlet::cut(Cut how, std::string_view last) {
  batch_->carrier().cut(how, last);
  abandon();
}

}  // namespace squall::server
